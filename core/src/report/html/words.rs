//! The words that only the HTML page has.

use crate::report::Lang;

/// A text in every language: English, Japanese.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(feature = "texts"), expect(dead_code, reason = "Japanese is one of the texts"))]
pub(super) struct Word(&'static str, &'static str);

impl Word {
    pub(super) fn of(self, lang: Lang) -> &'static str {
        match lang {
            Lang::En => self.0,
            #[cfg(feature = "texts")]
            Lang::Ja => self.1,
        }
    }
}

pub(super) const READ_CAUSES: Word = Word("What to know first", "はじめに");
pub(super) const LETTER: Word = Word("Text for your vendor", "開発元への連絡文");
pub(super) const LETTER_HINT: Word = Word(
    "Click the text to select it, copy it into a ticket, and attach this file.",
    "クリックすると全体が選択されます。コピーして問い合わせ票に貼り付け、このファイルを添付してください。",
);
pub(super) const DOCUMENTS: Word = Word("Documents, and which leads to which", "文書とリンク構造");
pub(super) const SETS: Word = Word("Sets of resources", "リソースのセット");
pub(super) const TIMELINE: Word = Word("Timeline", "タイムライン");
pub(super) const PERIOD: Word = Word("Period", "期間");
pub(super) const OPEN: Word = Word("since {from}", "{from} 以降");
pub(super) const MORE_PLACES: Word = Word("Further places", "そのほかの箇所");
pub(super) const WHY: Word = Word("Why it matters", "影響");
pub(super) const CARRIED: Word = Word(
    "This file contains the report for programs: drop it on the validator page to filter its findings, or to compare it with a later check. It loads nothing and runs no scripts.",
    "このファイルには、プログラムで読める検証結果が含まれています。検証ページにドロップすると、指摘を絞り込んだり、後日の検証結果と比較したりできます。外部からの読み込みやスクリプトの実行は行いません。",
);

pub(super) const LETTER_SUBJECT: Word = Word(
    "Subject: ResourceSync documents do not follow the standard",
    "件名: ResourceSync 文書が標準仕様に適合していない件",
);
pub(super) const LETTER_FINE: Word =
    Word("Subject: check of ResourceSync documents", "件名: ResourceSync 文書の検証結果");
pub(super) const LETTER_LEAD: Word = Word(
    "We checked the ResourceSync documents that your software writes against ANSI/NISO Z39.99-2017, with {tool} {version}.",
    "貴社のソフトウェアが出力する ResourceSync 文書を、{tool} {version} を使って ANSI/NISO Z39.99-2017 に照らして検証しました。",
);
pub(super) const LETTER_RESULT: Word = Word("Result: {line}", "結果: {line}");
pub(super) const LETTER_COUNT: Word = Word("{findings} in {inputs}", "{findings}（{inputs}）");
pub(super) const LETTER_PLACE: Word = Word("For example: {place}", "例: {place}");
pub(super) const LETTER_MORE: Word = Word("… and {n} more kinds of findings.", "… ほか {n} 種類の指摘があります。");
pub(super) const LETTER_END: Word = Word(
    "Please correct this where the documents are written. All findings, with their positions, are in the attached file, which opens in any browser.",
    "文書を出力する処理の修正をお願いします。すべての指摘とその位置は、添付のファイルにあります。ファイルはブラウザで開けます。",
);
