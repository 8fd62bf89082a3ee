//! The fixed labels and phrases of the text formats, in every language.

use alloc::string::{String, ToString};

use crate::{
    diagnostic::Severity,
    report::{Lang, Verdict},
};

/// The labels of one language. `{…}` is a placeholder; counts have a singular and a plural form.
#[derive(Debug)]
pub(in crate::report) struct Phrases {
    /// The language tag.
    pub tag: &'static str,
    /// The name of the language, in the language.
    pub language: &'static str,
    pub title: &'static str,
    pub valid: &'static str,
    pub invalid: &'static str,
    pub undetermined: &'static str,
    pub error: &'static str,
    pub warning: &'static str,
    pub info: &'static str,
    pub errors: [&'static str; 2],
    pub warnings: [&'static str; 2],
    pub infos: [&'static str; 2],
    pub findings: [&'static str; 2],
    pub no_findings: &'static str,
    pub inputs: [&'static str; 2],
    pub entries: [&'static str; 2],
    pub bytes: [&'static str; 2],
    pub suppressed: [&'static str; 2],
    pub suppressed_line: &'static str,
    pub suppressed_code: &'static str,
    pub configuration: &'static str,
    /// The service that was checked.
    pub subject: &'static str,
    /// The verdict, if it would be invalid without filters.
    pub after_filters: &'static str,
    pub skipped: [&'static str; 2],
    /// In place of a reason, after many others.
    pub other_reasons: &'static str,
    /// Between the parts of a list.
    pub comma: &'static str,
    pub verdict_line: &'static str,
    pub input_line: &'static str,
    pub left_out_line: &'static str,
    /// Notification channels, which were not requested.
    pub unasked: [&'static str; 2],
    /// Probable causes of several broken links.
    pub other_host: &'static str,
    pub other_scheme: &'static str,
    pub missing_folder: &'static str,
    /// A plain sitemap that the user named.
    pub plain_sitemap: &'static str,
    pub set_line: &'static str,
    /// The documents of a kind in a set.
    pub set_documents: &'static str,
    pub newest_change: &'static str,
    pub resources: [&'static str; 2],
    pub resources_read: [&'static str; 2],
    pub changes: [&'static str; 2],
    pub and_more: &'static str,
    pub not_checked: &'static str,
    pub stopped: &'static str,
    pub failed: &'static str,
    /// Findings that are not shown here.
    pub hidden: &'static str,
    /// Findings that were counted but not stored.
    pub not_stored: &'static str,
    pub entry: &'static str,
    pub to_line: &'static str,
    pub derived: &'static str,
    pub advice: &'static str,
    pub detail: &'static str,
    pub help: &'static str,
    pub related: &'static str,
    pub related_elsewhere: &'static str,
    /// Roles of related places.
    pub roles: &'static [(&'static str, &'static str)],
    pub code_head: &'static str,
    pub rule_head: &'static str,
    pub severity_head: &'static str,
    pub count_head: &'static str,
    pub inputs_head: &'static str,
    pub name_head: &'static str,
    pub kind_head: &'static str,
    pub verdict_head: &'static str,
    pub entries_head: &'static str,
    pub size_head: &'static str,
    pub findings_head: &'static str,
    pub skipped_head: &'static str,
}

static EN: Phrases = Phrases {
    tag: "en",
    language: "English",
    title: "ResourceSync validation",
    valid: "valid",
    invalid: "invalid",
    undetermined: "undetermined",
    error: "error",
    warning: "warning",
    info: "info",
    errors: ["{n} error", "{n} errors"],
    warnings: ["{n} warning", "{n} warnings"],
    infos: ["{n} info", "{n} infos"],
    findings: ["{n} finding", "{n} findings"],
    no_findings: "no findings",
    inputs: ["{n} input", "{n} inputs"],
    entries: ["{n} entry", "{n} entries"],
    bytes: ["{n} byte", "{n} bytes"],
    suppressed: ["{n} finding suppressed", "{n} findings suppressed"],
    suppressed_line: "suppressed: {codes}",
    suppressed_code: "{code} ({findings})",
    configuration: "configuration: {name}",
    subject: "checked: {name}",
    after_filters: "{verdict} after filters",
    skipped: ["skipped {n} file ({reason})", "skipped {n} files ({reason})"],
    other_reasons: "other reasons",
    comma: ", ",
    verdict_line: "{verdict}: {findings} in {inputs}, {entries}, {bytes}",
    input_line: "{name}: {verdict} {kind}, {entries}",
    left_out_line: "{name}: {verdict}, not checked: {reason}",
    unasked: ["{n} notification channel not checked", "{n} notification channels not checked"],
    other_host: "probable cause: {n} links lead to {other}, but the documents are at {own}: the Source was moved, or built with another base URI",
    other_scheme: "probable cause: {n} links begin with {other}, but the documents are at {own}: the Source was built with the other scheme or port",
    missing_folder: "probable cause: {n} links lead to {other}, where nothing was found: the folder is missing, or was published elsewhere",
    plain_sitemap: "{name} is a plain sitemap without anything of ResourceSync; `--expect resource-list` requires a Resource List, and `resourcesync build` publishes resources as one",
    set_line: "set {name}: {parts}",
    set_documents: "{n} {kind}",
    newest_change: "{changes} up to {newest}",
    resources: ["{n} resource", "{n} resources"],
    resources_read: ["{n} of them fetched"; 2],
    changes: ["{n} change", "{n} changes"],
    and_more: "… and {n} more",
    not_checked: "incompletely checked: {names}",
    stopped: "run stopped: {by}",
    failed: "run failed: {by}",
    hidden: "… {more} more {code} in this input ({shown} shown; --max-per-rule 0 shows all, `resourcesync explain {code}` explains it)",
    not_stored: "… {more} more {code} in this input ({shown} stored; --max-per-rule 0 stores all, `resourcesync explain {code}` explains it)",
    entry: "entry {n}",
    to_line: "… to line {n}",
    derived: "{level} (derived)",
    advice: "advice: not a requirement of the standard",
    detail: "detail: ",
    help: "help: ",
    related: "{role} at line {line}, column {column}",
    related_elsewhere: "{role} in {name} at line {line}, column {column}",
    roles: &[
        ("after", "later change"),
        ("before", "preceding notification"),
        ("bound", "bound of the document"),
        ("capability-list", "Capability List"),
        ("entry", "value of the entry"),
        ("first", "first occurrence"),
        ("found", "document found"),
        ("lastmod", "`lastmod` of the entry"),
        ("left-out", "missing document"),
        ("listed", "listed"),
        ("lists-more", "document with more resources"),
        ("member", "value in the document"),
        ("source-description", "Source Description"),
    ],
    code_head: "code",
    rule_head: "rule",
    severity_head: "severity",
    count_head: "count",
    inputs_head: "inputs",
    name_head: "name",
    kind_head: "kind",
    verdict_head: "verdict",
    entries_head: "entries",
    size_head: "size",
    findings_head: "findings",
    skipped_head: "skipped",
};

#[cfg(feature = "texts")]
static JA: Phrases = Phrases {
    tag: "ja",
    language: "日本語",
    title: "ResourceSync 検証結果",
    valid: "適合",
    invalid: "不適合",
    undetermined: "判定保留",
    error: "エラー",
    warning: "警告",
    info: "情報",
    errors: ["エラー {n} 件"; 2],
    warnings: ["警告 {n} 件"; 2],
    infos: ["情報 {n} 件"; 2],
    findings: ["指摘 {n} 件"; 2],
    no_findings: "指摘なし",
    inputs: ["検証対象 {n} 件"; 2],
    entries: ["エントリ {n} 件"; 2],
    bytes: ["{n} バイト"; 2],
    suppressed: ["除外した指摘 {n} 件"; 2],
    suppressed_line: "除外した指摘: {codes}",
    suppressed_code: "{code}（{findings}）",
    configuration: "設定ファイル: {name}",
    subject: "検証先: {name}",
    after_filters: "{verdict}（フィルタ適用後）",
    skipped: ["{n} 件を除外（{reason}）"; 2],
    other_reasons: "その他の理由",
    comma: "、",
    verdict_line: "{verdict}: {findings}（{inputs}、{entries}、{bytes}）",
    input_line: "{name}: {verdict}、{kind}、{entries}",
    left_out_line: "{name}: {verdict}、未検証（{reason}）",
    unasked: ["未検証の通知チャンネル {n} 件"; 2],
    other_host: "考えられる原因: {n} 件のリンク先は {other} ですが、文書は {own} にあります。ソースが移転したか、別のベース URI で作成されています",
    other_scheme: "考えられる原因: {n} 件のリンクは {other} で始まりますが、文書は {own} にあります。別のスキームまたはポートで作成されています",
    missing_folder: "考えられる原因: {n} 件のリンク先である {other} に何も見つかりません。フォルダがないか、別の場所に公開されています",
    plain_sitemap: "{name} は通常のサイトマップで、ResourceSync の要素を含みません。リソースリストとして検証するには `--expect resource-list` を指定し、リソースリストの公開には `resourcesync build` を使ってください",
    set_line: "セット {name}: {parts}",
    set_documents: "{kind} {n} 件",
    newest_change: "{changes}（最新は {newest}）",
    resources: ["リソース {n} 件"; 2],
    resources_read: ["うち {n} 件を取得"; 2],
    changes: ["変更 {n} 件"; 2],
    and_more: "… ほか {n} 件",
    not_checked: "検証未完了: {names}",
    stopped: "実行を中止: {by}",
    failed: "実行に失敗: {by}",
    hidden: "… ほかに {code} が {more} 件（{shown} 件を表示。--max-per-rule 0 で全件を表示、`resourcesync explain {code}` で説明を表示）",
    not_stored: "… ほかに {code} が {more} 件（{shown} 件を保存。--max-per-rule 0 で全件を保存、`resourcesync explain {code}` で説明を表示）",
    entry: "エントリ {n}",
    to_line: "… {n} 行目まで",
    derived: "{level}（標準から導かれる要件）",
    advice: "助言: 標準の要件ではありません",
    detail: "詳細: ",
    help: "修正方法: ",
    related: "{role}: {line} 行 {column} 列",
    related_elsewhere: "{role}: {name} の {line} 行 {column} 列",
    roles: &[
        ("after", "より新しい変更"),
        ("before", "直前の通知"),
        ("bound", "文書の値"),
        ("capability-list", "機能リスト"),
        ("entry", "エントリの値"),
        ("first", "最初の箇所"),
        ("found", "実際の文書"),
        ("lastmod", "エントリの `lastmod`"),
        ("left-out", "列挙されていない文書"),
        ("listed", "列挙している箇所"),
        ("lists-more", "リソースの多い文書"),
        ("member", "参照先の文書の値"),
        ("source-description", "ソース記述"),
    ],
    code_head: "コード",
    rule_head: "ルール",
    severity_head: "重大度",
    count_head: "件数",
    inputs_head: "検証対象",
    name_head: "名前",
    kind_head: "種類",
    verdict_head: "判定",
    entries_head: "エントリ",
    size_head: "サイズ",
    findings_head: "指摘",
    skipped_head: "除外したファイル",
};

/// The words for the role of a related place, such as `first`; `None` if the library has no such role.
pub fn role(role: &str, lang: Lang) -> Option<&'static str> {
    Phrases::of(lang).roles.iter().find(|(name, _)| *name == role).map(|(_, words)| *words)
}

impl Phrases {
    /// The labels of a language.
    pub(in crate::report) fn of(lang: Lang) -> &'static Phrases {
        match lang {
            Lang::En => &EN,
            #[cfg(feature = "texts")]
            Lang::Ja => &JA,
        }
    }

    /// The name of a verdict.
    pub(in crate::report) fn verdict(&self, verdict: Verdict) -> &'static str {
        match verdict {
            Verdict::Valid => self.valid,
            Verdict::Undetermined => self.undetermined,
            Verdict::Invalid => self.invalid,
        }
    }

    /// The name of a severity.
    pub(in crate::report) fn severity(&self, severity: Severity) -> &'static str {
        match severity {
            Severity::Error => self.error,
            Severity::Warning => self.warning,
            Severity::Info => self.info,
        }
    }

    /// The role of a related place.
    pub(in crate::report) fn role<'a>(&self, role: &'a str) -> &'a str {
        self.roles.iter().find(|(name, _)| *name == role).map_or(role, |(_, words)| words)
    }

    /// A number of bytes in the largest unit that fits.
    pub(in crate::report) fn size(&self, bytes: u64) -> String {
        let units = [(1_000_000_000_u64, "GB"), (1_000_000, "MB"), (1_000, "kB")];
        for (unit, name) in units {
            // Rounded to a tenth; a size that rounds up to the next unit uses that unit.
            let tenths = u128::from(bytes)
                .saturating_mul(10)
                .saturating_add(u128::from(unit / 2))
                .checked_div(unit.into())
                .unwrap_or(0);
            if tenths >= 10 && bytes >= unit.saturating_sub(unit / 2_000) {
                return alloc::format!("{}.{} {name}", grouped((tenths / 10) as u64), tenths % 10);
            }
        }
        counted(self.bytes, bytes)
    }
}

/// A count with its noun.
pub(in crate::report) fn counted(forms: [&str; 2], count: u64) -> String {
    let [one, many] = forms;
    fill(if count == 1 { one } else { many }, &[("n", &grouped(count))])
}

/// A number with commas between thousands.
pub(in crate::report) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len().saturating_add(digits.len() / 3));
    for (at, digit) in digits.chars().enumerate() {
        if at != 0 && digits.len().saturating_sub(at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Replaces each `{name}` by its value.
pub(in crate::report) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        text.push_str(before);
        text.push_str(values.iter().find(|(given, _)| *given == name).map_or("", |(_, value)| value));
        rest = after;
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!([0, 999, 1_000, 48_212, 1_234_567].map(grouped), ["0", "999", "1,000", "48,212", "1,234,567"]);
    }

    #[test]
    fn sizes_are_said_in_the_largest_unit_that_fits() {
        let sizes = [1, 999, 1_000, 1_249, 19_000_000, 999_960, 10_000_000_000].map(|bytes| EN.size(bytes));
        assert_eq!(sizes, ["1 byte", "999 bytes", "1.0 kB", "1.2 kB", "19.0 MB", "1.0 MB", "10.0 GB"]);
    }

    #[test]
    fn values_are_not_templates() {
        assert_eq!(fill("{a} and {b}", &[("a", "{b}"), ("b", "2")]), "{b} and 2");
    }

    #[test]
    #[cfg(feature = "texts")]
    fn roles_are_known_in_every_language() {
        let names = |phrases: &Phrases| phrases.roles.iter().map(|(name, _)| *name).collect::<alloc::vec::Vec<_>>();
        assert_eq!(names(&EN), names(&JA));
    }
}
