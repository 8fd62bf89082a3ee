//! Why something could not be read or fetched, in each language.

use alloc::string::{String, ToString};

use super::Lang;
#[cfg(feature = "texts")]
use super::terms::term;
use crate::diagnostic::{Reason, ReasonCode};

/// A reason in a language.
pub fn reason(reason: &Reason, lang: Lang) -> String {
    match lang {
        Lang::En => reason.to_string(),
        #[cfg(feature = "texts")]
        Lang::Ja => reason.fill(reason.code.template_ja(), |name, value| match name {
            "problem" | "looks" | "what" => term(value, lang).unwrap_or(value).to_string(),
            _ => value.to_string(),
        }),
    }
}

/// A reason in a report, which has an English text and, if it has a code, its code and arguments.
pub(in crate::report) fn of_report(text: &str, cause: Option<&Reason>, lang: Lang) -> String {
    cause.map_or_else(|| text.to_string(), |cause| reason(cause, lang))
}

/// The text of a reason for a report, and the reason itself if it has a code.
pub(crate) fn for_report(reason: Reason) -> (String, Option<Reason>) {
    let text = reason.to_string();
    (text, Some(reason).filter(|reason| reason.code != ReasonCode::Other))
}

#[cfg(all(test, feature = "texts"))]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_rendered_with_its_values() {
        let status = Reason::new(ReasonCode::HttpStatus).arg("status", "404 Not Found");
        assert_eq!(reason(&status, Lang::En), "response status 404 Not Found");
        assert_eq!(reason(&status, Lang::Ja), "応答ステータス 404 Not Found");
        let gzip = Reason::new(ReasonCode::InvalidGzip).arg("problem", "truncated");
        assert_eq!(reason(&gzip, Lang::Ja), "Content-Encoding の gzip データが不正（途中で切れている）");
        assert_eq!(reason(&Reason::other("not today"), Lang::Ja), "not today");
    }
}
