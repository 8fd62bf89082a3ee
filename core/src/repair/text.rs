//! Repairs the text of a document.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use super::{Repair, RepairOptions, heads, log::Log, patch::patch, repairs};
use crate::{
    limits::Limits,
    model::Document,
    read::{self, ReadError},
    write::{self, Loss},
};

/// A repaired text and its repairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    /// The text, unchanged except for the repairs.
    pub text: String,
    /// The repairs, in the order of the original text.
    pub repairs: Vec<Repair>,
    /// True if the document had to be formatted again, which drops comments and layout.
    pub rewritten: bool,
}

/// The document cannot be repaired.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RepairError {
    /// It cannot be read to its end.
    Unreadable(ReadError),
    /// Its repairs would lose something.
    Lossy(Loss),
}

impl core::fmt::Display for RepairError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            RepairError::Unreadable(error) => error.fmt(f),
            RepairError::Lossy(lost) => write!(f, "the repair needs to rewrite the document, but {lost}"),
        }
    }
}

impl core::error::Error for RepairError {}

/// Repairs the text of a document.
///
/// # Errors
///
/// If the document is not well-formed or beyond a limit, or if repairing it would lose part of it.
pub fn repair_text(text: &str, options: &RepairOptions, limits: &Limits) -> Result<Repaired, RepairError> {
    let read = |text: &str| read::document(text.as_bytes(), limits, &mut ());
    let mut after = read(text).map_err(RepairError::Unreadable)?;
    let starts: Vec<u64> = after.entries.iter().map(|entry| entry.span.start.offset).collect();
    let log = repairs(&mut after, options);
    if log.repairs.is_empty() {
        return Ok(Repaired { text: text.to_string(), repairs: Vec::new(), rewritten: false });
    }
    // The edited text is used only if it parses to the repaired model.
    let patched = patch(text, &starts, &log.edits, limits)
        .filter(|patched| read(patched).is_ok_and(|patched| is_same(&patched, &after)));
    let rewritten = patched.is_none();
    let text = match patched {
        Some(patched) => patched,
        None => write::document(&after).map_err(RepairError::Lossy)?,
    };
    Ok(Repaired { text, repairs: log.finish(), rewritten })
}

/// True if both have the same content, and neither has its head among the entries.
fn is_same(one: &Document, other: &Document) -> bool {
    let mut heads = Log::default();
    heads::repair(one, &mut heads);
    heads.repairs.is_empty() && one == other
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use alloc::format;

    use super::*;

    const HEAD: &str = "<?xml version=\"1.0\"?>\r\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' \
        xmlns:rs='http://www.openarchives.org/rs/terms/'>\r\n\
        <!-- made by hand --><rs:ln rel='up' href='http://example.com/o&apos;neill/capabilitylist.xml'/>\r\n";

    fn repaired(text: &str) -> Repaired {
        repair_text(text, &RepairOptions::default(), &Limits::default()).unwrap()
    }

    #[test]
    fn everything_else_stays_to_the_byte() {
        let text = format!(
            "{HEAD}<rs:md rs:capability='ChangeListIndex' from='2013-01-03T09:00:00+09:00'/>\r\n\
            <url><loc>http://example.com/o'neill?a&amp;b |</loc><rs:md change='update' \
            hash='SHA1:2jmj7l5rSw0yVb/vlWAYkK/YBwk=' datetime='2013-01-03 01:00:00Z'/></url></urlset>"
        );
        let after = repaired(&text);
        let expected = text
            .replace("rs:capability='ChangeListIndex'", "capability='changelist'")
            .replace("2013-01-03T09:00:00+09:00", "2013-01-03T00:00:00Z")
            .replace("b |", "b%20%7C")
            .replace("'update'", "'updated'")
            .replace("SHA1:2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "sha-1:da39a3ee5e6b4b0d3255bfef95601890afd80709")
            .replace("2013-01-03 01:00:00Z", "2013-01-03T01:00:00Z");
        assert_eq!(after.text, expected);
        assert!(!after.rewritten);
        let paths: Vec<&str> = after.repairs.iter().map(|repair| &*repair.path).collect();
        assert_eq!(paths.first(), Some(&"/urlset/rs:md[1]/@capability"));
        assert_eq!(paths.last(), Some(&"/urlset/url[1]/rs:md[1]/@datetime"));
    }

    #[test]
    fn changes_are_sorted_with_what_belongs_to_them() {
        let head = format!("{HEAD}<rs:md capability='changelist' from='2013-01-01T00:00:00Z'/>\n");
        let change = |day: u8, extra: &str| {
            format!(
                "<url><loc>http://example.com/{day}</loc><rs:md change='updated' datetime='2013-01-{day:02}'/>{extra}</url>"
            )
        };
        let text = format!("{head}{}\n\n  {}\n{}</urlset>\n", change(3, ""), change(1, "<!--x-->"), change(2, ""));
        let expected = format!("{head}{}\n\n  {}\n{}</urlset>\n", change(1, "<!--x-->"), change(2, ""), change(3, ""));
        let after = repaired(&text);
        assert_eq!((after.text.as_str(), after.rewritten), (expected.as_str(), false));
        assert_eq!(after.repairs.len(), 2);
        // An entry without a datetime has no defined position.
        let undated = text.replacen(" datetime='2013-01-02'", "", 1);
        assert_eq!(repaired(&undated).text, undated);
        // A day may be before or after a moment of it.
        let day = text.replacen("'2013-01-03'", "'2013-01-02T12:00:00Z'", 1);
        assert_eq!(repaired(&day).text, day);
    }

    #[test]
    fn what_is_in_a_value_and_not_of_it_stays() {
        let entry = |inner: &str| {
            let head = "<rs:md capability='resourcelist' at='2013-01-01T00:00:00Z'/>";
            format!("{HEAD}{head}<url><loc>{inner}</loc></url></urlset>")
        };
        for (before, after) in [
            ("http://example.com/a<!-- b --> c<?d e?>f", "http://example.com/a%20cf<!-- b --><?d e?>"),
            ("http://example.com/a<![CDATA[ <!-- b]]>", "http://example.com/a%20%3C!--%20b"),
            ("http://example.com/a c<!-- b -->", "http://example.com/a%20c<!-- b -->"),
        ] {
            assert_eq!(repaired(&entry(before)).text, entry(after));
        }
    }

    #[test]
    fn a_comment_before_a_change_moves_with_it() {
        let head = format!("{HEAD}<rs:md capability='changelist' from='2013-01-01T00:00:00Z'/>\n");
        let change = |day: u8, before: &str| {
            format!(
                "{before}<url><loc>http://example.com/{day}</loc><rs:md change='updated' datetime='2013-01-{day:02}'/></url>\n"
            )
        };
        let both = |one: &str, other: &str| format!("{head}{one}{other}</urlset>\n<!-- </urlset> -->\n");
        let sorted = |text: &str| {
            let after = repaired(text);
            assert!(!after.rewritten);
            after.text
        };
        let (one, two) = (change(1, "<!-- one -->\n<!-- 1 -->\n"), change(2, "<!-- two -->\n"));
        assert_eq!(sorted(&both(&two, &one)), both(&one, &two));
        // What is before the first change alone may be about the document, and what is behind one is about that.
        let (one, two) = (change(1, ""), change(2, ""));
        let two_of_list = format!("<!-- of the list -->\n{two}");
        assert_eq!(sorted(&both(&two_of_list, &one)), both(&format!("<!-- of the list -->\n{one}"), &two));
        let two_and_more = two.replace('\n', " <!-- two --><!-- 2 -->\n");
        assert_eq!(sorted(&both(&two_and_more, &one)), both(&one, &two_and_more));
        // A head is moved to its place at the same time.
        let link = "<rs:ln rel='describedby' href='http://example.com/about'/>";
        let late = both(&two_of_list, &format!("{link}\n{one}"));
        assert_eq!(sorted(&late), both(&format!("<!-- of the list -->\n{link}\n{one}"), &format!("\n{two}")));
    }

    #[test]
    fn a_zone_is_never_guessed() {
        let text = format!("{HEAD}<rs:md capability='resourcelist' at='2013-01-03T09:00:00'/></urlset>");
        assert_eq!(repaired(&text).repairs, []);
        let japan = RepairOptions { zone: Some(540) };
        let after = repair_text(&text, &japan, &Limits::default()).unwrap();
        assert_eq!(after.text, text.replace("T09:00:00'", "T00:00:00Z'"));
    }

    #[test]
    fn a_head_at_the_end_goes_to_the_front() {
        let md = "<rs:md capability='resourcelist' at='2013-01-03T09:00:00Z'/>";
        let entry = "  <url><loc>http://example.com/1</loc></url>\n";
        let after = repaired(&format!("{HEAD}{entry}{md}</urlset>"));
        assert_eq!(after.text, format!("{HEAD}  {md}\n{entry}</urlset>"));
    }

    #[test]
    fn a_namespace_name_that_is_nearly_right_becomes_right() {
        let text = format!("{HEAD}<rs:md capability='resourcelist' at='2013-01-03T09:00:00Z'/></urlset>");
        let wrong = text.replace("http://www.openarchives.org/rs/terms/", "https://www.openarchives.org/rs/terms");
        assert_eq!(repaired(&wrong).text, text);
        let name = "https://www.openarchives.org/rs/terms";
        let said = format!("<!-- not xmlns:rs=\"{name}\" --><?not xmlns=\"{name}\"?></urlset>");
        let after = repaired(&wrong.replace("</urlset>", &said));
        assert_eq!((after.text, after.rewritten), (text.replace("</urlset>", &said), false));
    }
}
