//! The short words that arguments use for kinds of trouble, said in full.

use super::Lang;

/// Word, English, Japanese.
#[rustfmt::skip]
const TERMS: &[(&str, &str, &str)] = &[
    // Datetimes.
    ("no-zone", "a time without zone", "時刻にタイムゾーンがない"),
    ("blank-for-t", "a blank instead of `T`", "`T` の代わりに空白がある"),
    ("surrounding-blanks", "white space around it", "前後に空白がある"),
    ("out-of-range", "no such date, time or offset", "存在しない日付・時刻・時差"),
    ("leap-second", "seconds end at 59", "秒は 59 まで"),
    ("form", "none of its six forms", "6 つの書式のどれでもない"),
    // URIs.
    ("empty", "it is empty", "空である"),
    ("relative", "a relative reference", "相対参照である"),
    ("local-path", "a path of a local file system", "ローカルのファイルパスである"),
    ("blank", "white space in it", "空白を含む"),
    ("non-ascii", "characters beyond ASCII", "ASCII 以外の文字を含む"),
    ("bad-percent", "`%` without two hexadecimal digits", "`%` に 16 進数 2 桁が続かない"),
    ("character", "a character no URI may have", "URI に使えない文字を含む"),
    ("no-host", "no host", "ホスト名がない"),
    ("syntax", "not the syntax of a URI", "URI の構文ではない"),
    // Paths.
    ("not-rooted", "no leading slash", "先頭にスラッシュがない"),
    ("empty-segment", "two slashes in a row", "スラッシュが連続する"),
    ("dot-segment", "a segment `.`", "`.` の区間を含む"),
    ("parent-segment", "a segment `..`", "`..` の区間を含む"),
    ("trailing-slash", "a slash at the end", "末尾がスラッシュである"),
    ("backslash", "a backslash", "バックスラッシュを含む"),
    ("control", "a control character", "制御文字を含む"),
    ("manifest", "the manifest itself", "マニフェスト自身である"),
    // gzip.
    ("header", "broken header", "ヘッダーが壊れている"),
    ("data", "broken data", "データが壊れている"),
    ("checksum", "wrong check sum", "チェックサムが合わない"),
    ("length", "wrong length", "長さが合わない"),
    ("truncated", "cut short", "途中で切れている"),
    ("trailing", "bytes after its end", "終わりの後に余分なバイトがある"),
    // What an input looks like.
    ("an HTML page", "an HTML page", "HTML ページ"),
    ("a PDF", "a PDF", "PDF"),
    ("JSON", "JSON", "JSON"),
    ("an image", "an image", "画像"),
    ("a ZIP package", "a ZIP package", "ZIP パッケージ"),
    ("a tar archive", "a tar archive", "tar アーカイブ"),
    ("a 7-Zip archive", "a 7-Zip archive", "7-Zip アーカイブ"),
    ("an xz archive", "an xz archive", "xz アーカイブ"),
    ("a bzip2 archive", "a bzip2 archive", "bzip2 アーカイブ"),
    ("a zstd archive", "a zstd archive", "zstd アーカイブ"),
    ("a RAR archive", "a RAR archive", "RAR アーカイブ"),
    ("binary data", "binary data", "バイナリデータ"),
    ("gzip inside gzip", "gzip inside gzip", "gzip の中の gzip"),
];

/// The word said in full, if it is one of ours.
pub(super) fn term(word: &str, lang: Lang) -> Option<&'static str> {
    let (_, en, _ja) = TERMS.iter().find(|(own, ..)| *own == word)?;
    Some(match lang {
        Lang::En => en,
        #[cfg(feature = "texts")]
        Lang::Ja => _ja,
    })
}
