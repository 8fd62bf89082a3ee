//! The rules and the words of the report.

use alloc::string::ToString;

use resourcesync::{
    diagnostic::EntryRef,
    report::{Family, FamilyFinding, FamilyWords},
};

use crate::{
    catalogue::{self, Code},
    note::Note,
};

/// The family of the report.
pub fn family() -> Family {
    Family { name: "OAI", rules: catalogue::RULES, terms: TERMS, words: Some(&WORDS) }
}

/// A note as a finding about the n-th item of its response.
pub(super) fn finding(note: Note, index: Option<u64>) -> FamilyFinding {
    let entry = note.identifier.map(|loc| EntryRef { index: index.unwrap_or(0), loc: Some(loc) });
    FamilyFinding {
        rule: note.code.rule(),
        lowered: None,
        span: note.span,
        entry: entry.filter(|entry| entry.index > 0),
        args: note.args.into_iter().map(|(name, value)| (name.to_string(), value)).collect(),
    }
}

/// A note on responses that disagree about a record.
pub(super) fn disagreement(identifier: &str, problem: &str) -> Note {
    Note::new(Code::OAI_37).of(identifier).arg("identifier", identifier).arg("problem", problem)
}

static WORDS: FamilyWords = FamilyWords {
    title: ["OAI-PMH repository check", "OAI-PMH リポジトリの検証結果"],
    subject: [
        "Subject: the OAI-PMH interface does not follow the protocol",
        "件名: OAI-PMH インタフェースがプロトコルに適合していない件",
    ],
    subject_fine: ["Subject: check of the OAI-PMH interface", "件名: OAI-PMH インタフェースの検証結果"],
    lead: [
        "We checked the OAI-PMH interface of your repository against OAI-PMH 2.0, with {tool} {version}.",
        "貴リポジトリの OAI-PMH インタフェースを、{tool} {version} を使って OAI-PMH 2.0 に照らして検証しました。",
    ],
    end: [
        "Please correct this in the software of the repository or in its settings. All findings, with the requests, are in the attached file, which opens in any browser.",
        "リポジトリのソフトウェアまたは設定の修正をお願いします。すべての指摘とその要求は、添付のファイルにあります。ファイルはブラウザで開けます。",
    ],
};

/// Values of the arguments `problem` and `kind`: English, Japanese.
#[rustfmt::skip]
const TERMS: &[(&str, &str, &str)] = &[
    // What a response is instead of a page.
    ("empty", "empty", "空"),
    ("binary data", "binary data", "バイナリデータ"),
    ("text", "text", "テキスト"),
    // Content codings.
    ("not-announced", "responses have it, and `compression` does not name it", "応答に使われているが `compression` に記載がない"),
    ("not-used", "`compression` names it, and no response had it", "`compression` に記載があるが、使われた応答がない"),
    // Tokens.
    ("other-page", "another page", "別のページ"),
    ("error-page", "`{response}`", " `{response}` "),
    // Formats.
    ("no-prefix", "no `metadataPrefix`", "`metadataPrefix` がない"),
    ("bad-prefix", "its prefix has characters that are not allowed", "接頭辞に使えない文字がある"),
    ("no-schema", "no `schema`", "`schema` がない"),
    ("no-namespace", "no `metadataNamespace`", "`metadataNamespace` がない"),
    ("other-namespace", "the namespace is `{value}`, and the format has `{declared}`", "名前空間が `{value}` で、形式の名前空間 `{declared}` と異なる"),
    ("no-schema-location", "no `xsi:schemaLocation`", "`xsi:schemaLocation` がない"),
    // Responses that disagree.
    ("datestamp-differs", "the datestamp is `{value}` in {request}, and `{other}` in {verb}", "datestamp が {request} では `{value}`、{verb} では `{other}`"),
    ("status-differs", "deleted in only one of {request} and {verb}", "{request} と {verb} の一方でだけ削除されている"),
    ("sets-differ", "the sets are `{value}` in {request}, and `{other}` in {verb}", "セットが {request} では `{value}`、{verb} では `{other}`"),
    ("not-listed", "{request} lists it, and {verb} does not", "{request} にあり {verb} にない"),
    ("not-found", "{request} lists it, and {verb} is answered with `{other}`", "{request} にあるが、{verb} への応答が `{other}`"),
    ("not-in-set", "its header names the set `{value}`, whose list lacks it", "ヘッダの示すセット `{value}` のリストにない"),
    ("format-missing", "{request} lists it in the format `{value}`, and {verb} does not name that format", "{request} に形式 `{value}` で載っているが、{verb} にその形式がない"),
    // POST.
    ("status", "HTTP status {status}", "HTTP ステータス {status} を返す"),
    ("other-content", "another content", "内容が違う"),
    ("error", "`{response}`", "`{response}` を返す"),
    ("no-response", "nothing", "応答がない"),
    // Invalid requests.
    ("no-verb", "no verb", "`verb` がない"),
    ("unknown-verb", "an unknown verb", "未知の `verb`"),
    ("verb-twice", "the verb twice", "`verb` の重複"),
    ("missing-argument", "no `metadataPrefix`", "`metadataPrefix` がない"),
    ("foreign-argument", "an argument that is not defined", "未定義の引数"),
    ("repeated-argument", "an argument twice", "引数の重複"),
    ("token-and-argument", "a token with another argument", "トークンとほかの引数の併用"),
    ("bad-token", "a token that was never sent", "存在しないトークン"),
    ("bad-prefix-asked", "a format that is not offered", "提供されていない形式"),
    ("bad-identifier", "an identifier that does not exist", "存在しない識別子"),
    ("bad-set", "a set that does not exist", "存在しないセット"),
    ("from-after-until", "`from` after `until`", "`from` が `until` より後"),
    ("mixed-granularity", "`from` and `until` of different granularity", "`from` と `until` の粒度が異なる"),
    ("too-fine", "a date that is finer than the granularity", "粒度より細かい日付"),
    ("malformed-date", "a malformed date", "形式の誤った日付"),
    ("empty-argument", "an empty argument", "空の引数"),
    ("format-of-record", "a record in a format that is not offered", "提供されていない形式でのレコードの要求"),
];
