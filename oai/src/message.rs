//! The message of a note, in English or Japanese.

use alloc::{collections::BTreeMap, string::String};

use resourcesync::{
    diagnostic::Arg,
    report::{Lang, fill, fill_with},
};

use crate::{catalogue::Code, harvest::Noted};

/// The reasons why a list was restarted, did not end, or was stopped: name, English, Japanese.
const WHYS: &[(&str, &str, &str)] = &[
    ("status", "HTTP status {status}", "HTTP ステータス {status}"),
    (
        "redirect-without-location",
        "a redirect ({status}) without `Location`",
        "`Location` のないリダイレクト（{status}）",
    ),
    (
        "empty-response",
        "an empty response, which may have used up the token",
        "応答が空であり、トークンが使用済みになった可能性がある",
    ),
    ("bad-token", "the token was rejected (badResumptionToken)", "トークンが拒否された（badResumptionToken）"),
    (
        "lost-position",
        "all pages have the same token, and a response was lost: the server may have gone on",
        "全ページのトークンが同じで、応答が 1 つ失われた（サーバ側の位置が進んだ可能性がある）",
    ),
    ("expired-token", "the token has expired", "トークンの有効期限が切れた"),
    ("oai-error", "OAI-PMH error {detail}", "OAI-PMH エラー {detail}"),
    (
        "nothing-left",
        "a token was answered without records, so that it may have broken off",
        "トークンへの応答にレコードがなく、途切れた可能性がある",
    ),
    ("cut-page", "the page is not whole: {detail}", "ページが途中で終わっている（{detail}）"),
    ("not-oai-pmh", "the response is {detail}, not OAI-PMH", "応答が OAI-PMH ではなく {detail}"),
    ("other-verb", "a response to another request: `{detail}`", "別の要求に対する応答: `{detail}`"),
    ("connection", "{reason}", "{reason}"),
    ("timeouts", "repeated timeouts", "タイムアウトの繰り返し"),
    ("server-errors", "repeated server errors", "サーバエラーの繰り返し"),
    (
        "host-waits",
        "the server requested a wait during another harvest from this host",
        "同じホストの別の収集で、サーバが待機を要求した",
    ),
    (
        "format-not-offered",
        "the format {detail} is not offered; offered: {offered}",
        "メタデータ形式 {detail} は提供されていない（提供されている形式: {offered}）",
    ),
    ("no-such-record", "GetRecord did not return the record", "GetRecord がレコードを返さなかった"),
    (
        "long-wait",
        "the next try is due in {seconds} s, later than --max-wait allows",
        "次の再試行は {seconds} 秒後であり、--max-wait を超える",
    ),
];

/// The message of a note of a harvest.
pub fn message(noted: &Noted, lang: Lang) -> String {
    message_of(noted.code, &noted.args, lang)
}

/// The message of a code with these values.
pub fn message_of(code: Code, args: &BTreeMap<String, Arg>, lang: Lang) -> String {
    let [template, _] = code.rule().templates(lang);
    fill_with(template, args, lang, |name| match args.get(name) {
        Some(Arg::Text(word)) if name == "why" => {
            WHYS.iter().find(|(own, ..)| own == word).map(|why| fill(why_in(lang, why), args, lang))
        }
        _ => None,
    })
}

/// A row of the table above in a language.
fn why_in(lang: Lang, why: &(&'static str, &'static str, &'static str)) -> &'static str {
    match lang {
        Lang::En => why.1,
        #[cfg(feature = "texts")]
        Lang::Ja => why.2,
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn reasons_are_spelt_out_in_both_languages() {
        let args = [("why".to_string(), Arg::from("status")), ("status".to_string(), Arg::from(403_u64))].into();
        assert!(message_of(Code::OAI_69, &args, Lang::En).contains("HTTP status 403"));
        assert!(message_of(Code::OAI_69, &args, Lang::Ja).contains("HTTP ステータス 403"));
    }

    #[test]
    fn every_reason_has_its_texts() {
        for why in crate::harvest::WHYS {
            assert!(WHYS.iter().any(|(word, ..)| word == why), "{why}");
        }
        assert_eq!(WHYS.len(), crate::harvest::WHYS.len());
    }
}
