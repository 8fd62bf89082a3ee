//! `resourcesync explain`: what a code or rule means, why it matters, how to fix it.

mod page;
mod screen;

use resourcesync::report::Lang;

use crate::{
    arguments::{Explain, ExplainFormat},
    catalogue::{self, Row},
    outputs, rules,
    trouble::Trouble,
};

/// Runs it.
pub(crate) fn run(arguments: &Explain) -> Result<i32, Trouble> {
    let rows = catalogue::named(&arguments.name, arguments.lang).map_err(|error| error.to_string())?;
    let Some(about) = About::new(&rows, arguments.lang) else {
        let name = &arguments.name;
        return Err(
            format!("`{name}` stands for many codes; list them with: resourcesync rules --select {name}").into()
        );
    };
    outputs::print(&match arguments.format {
        ExplainFormat::Text => screen::write(&about),
        ExplainFormat::Markdown => page::write(&about),
        ExplainFormat::Json => rules::json(&rows)?,
    })
}

/// What is explained: a rule, and the codes of it that were asked for.
struct About<'a> {
    rows: &'a [Row],
    /// Any of them: they share the rule's words.
    row: &'a Row,
    /// Codes of the rule that were not asked for.
    others: Vec<&'static str>,
    /// Details of the code, where it has any.
    details: Vec<Row>,
    titles: &'static Titles,
}

impl<'a> About<'a> {
    fn new(rows: &'a [Row], lang: Lang) -> Option<About<'a>> {
        let row = rows.first()?;
        let codes = catalogue::named(row.rule, lang).unwrap_or_default();
        let is_asked = |code: &&str| row.detail.is_some() || rows.iter().any(|row| row.code == *code);
        let others = codes.iter().map(|row| row.code).filter(|code| !is_asked(code)).collect();
        let has_details = row.detail.is_none() && row.code == catalogue::WITH_DETAILS;
        let details = if has_details { catalogue::details(lang).collect() } else { Vec::new() };
        let titles = match lang {
            Lang::En => &ENGLISH,
            Lang::Ja => &JAPANESE,
        };
        Some(About { rows, row, others, details, titles })
    }

    /// `RL-03 missing-at`, or the rule's name alone if all of it is explained.
    fn title(&self) -> String {
        match (self.rows, self.row.detail) {
            ([_], Some(detail)) => format!("{} {detail}", self.row.code),
            ([_], None) => format!("{} {}", self.row.code, self.row.rule),
            _ => self.row.rule.to_owned(),
        }
    }

    /// Level, severity and section of a code in one line.
    fn weight(&self, row: &Row) -> String {
        let titles = self.titles;
        let mut parts = vec![row.severity.to_owned()];
        match (row.level, row.derived) {
            (Some(level), Some(true)) => parts.push(format!("{level} ({})", titles.derived)),
            (Some(level), _) => parts.push(level.to_owned()),
            (None, _) => parts.push(titles.beyond.to_owned()),
        }
        parts.extend(row.section.map(str::to_owned));
        if row.detail.is_some() {
            parts.push(titles.detail.to_owned());
        }
        parts.join(", ")
    }

    /// Sections of prose with their titles.
    fn prose(&self) -> [(&'static str, &'static str); 3] {
        let Titles { what, why, fix, .. } = self.titles;
        [(what, self.row.what), (why, self.row.why), (fix, self.row.mend)]
    }

    /// Examples with their titles, where there are any.
    fn examples(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let Titles { wrong, right, .. } = self.titles;
        [(*wrong, self.row.wrong), (*right, self.row.right)].into_iter().filter(|(_, example)| !example.is_empty())
    }
}

/// The words between the rule's words.
struct Titles {
    message: &'static str,
    what: &'static str,
    why: &'static str,
    fix: &'static str,
    wrong: &'static str,
    right: &'static str,
    codes: &'static str,
    others: &'static str,
    detail: &'static str,
    details: &'static str,
    derived: &'static str,
    beyond: &'static str,
}

const ENGLISH: Titles = Titles {
    message: "Message",
    what: "Rule",
    why: "Why it matters",
    fix: "How to fix it",
    wrong: "Wrong",
    right: "Right",
    codes: "Codes",
    others: "The same rule also reports",
    detail: "detail of GEN-01",
    details: "Details",
    derived: "derived",
    beyond: "beyond the standard",
};

const JAPANESE: Titles = Titles {
    message: "メッセージ",
    what: "内容",
    why: "影響",
    fix: "修正方法",
    wrong: "誤りの例",
    right: "正しい例",
    codes: "コード",
    others: "同じルールが報告するほかのコード",
    detail: "GEN-01 の細目",
    details: "細目",
    derived: "標準から導かれる要件",
    beyond: "標準の要件ではない",
};
