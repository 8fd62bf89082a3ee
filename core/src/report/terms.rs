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
    ("form", "none of its six forms", "六つの書式のどれでもない"),
    // URIs.
    ("empty", "it is empty", "空である"),
    ("relative", "a relative reference", "相対参照である"),
    ("local-path", "a path of a local file system", "ローカルのファイルパスである"),
    ("blank", "white space in it", "空白を含む"),
    ("non-ascii", "characters beyond ASCII", "ASCII 以外の文字を含む"),
    ("bad-percent", "`%` without two hexadecimal digits", "`%` に 16 進数 2 桁が続かない"),
    ("character", "a character no URI may have", "URI に使えない文字を含む"),
    ("no-host", "no host", "ホスト名がない"),
    ("port", "no such port", "存在しないポート番号である"),
    ("syntax", "not the syntax of a URI", "URI の構文ではない"),
    // Paths.
    ("not-rooted", "no leading slash", "先頭にスラッシュがない"),
    ("empty-segment", "two slashes in a row", "スラッシュが連続する"),
    ("dot-segment", "a segment `.`", "`.` のセグメントを含む"),
    ("parent-segment", "a segment `..`", "`..` のセグメントを含む"),
    ("trailing-slash", "a slash at the end", "末尾がスラッシュである"),
    ("backslash", "a backslash", "バックスラッシュを含む"),
    ("control", "a control character", "制御文字を含む"),
    ("manifest", "the manifest itself", "マニフェスト自身である"),
    // gzip.
    ("header", "broken header", "ヘッダが壊れている"),
    ("data", "broken data", "データが壊れている"),
    ("checksum", "wrong check sum", "チェックサムが合わない"),
    ("length", "wrong length", "長さが合わない"),
    ("truncated", "cut short", "途中で切れている"),
    ("trailing", "bytes after its end", "終わりの後に余分なバイトがある"),
    // Packages: what is there instead.
    ("nothing-near", "nothing there is called nearly so", "似た名前のものもない"),
    ("near-case", "`{near}` is, which differs in upper and lower case", "大文字と小文字だけが異なる `{near}` がある"),
    ("near-unicode", "`{near}` is, which looks the same and differs in its Unicode form", "見た目が同じで Unicode の正規化形式が異なる `{near}` がある"),
    ("near-percent", "`{near}` is, which differs in percent-encoding", "パーセントエンコードの有無が異なる `{near}` がある"),
    ("near-slash", "`{near}` is, which differs in what stands before it", "先頭の部分だけが異なる `{near}` がある"),
    ("near-backslash", "`{near}` is, which has backslashes", "バックスラッシュで区切られた `{near}` がある"),
    ("near-spelling", "`{near}` is, which is spelt otherwise", "表記が異なる `{near}` がある"),
    ("manifest-nowhere", "no member is called so", "その名前のメンバーがない"),
    ("manifest-deeper", "`{near}` lies inside a folder", "`{near}` はフォルダの中にある"),
    // Packages: the archive.
    ("no-package", "it is a document of the Source", "ソースの文書である"),
    ("not-a-zip", "it has no end record", "終端レコードがない"),
    ("directory", "its directory is not where the end record says", "終端レコードの示す位置にディレクトリがない"),
    ("no-locator", "a field points to ZIP64 and no locator is there", "ZIP64 を指す項目があるのにロケータがない"),
    ("no-record", "the locator leads to no record", "ロケータの先にレコードがない"),
    ("locator-in-directory", "the directory ends with bytes that look like a locator", "ディレクトリの末尾がロケータに見える"),
    ("record-size", "the record has data of a later version", "レコードに新しい版のデータがある"),
    ("locator-offset", "the locator points elsewhere", "ロケータが別の場所を指している"),
    ("fields-differ", "the plain record says otherwise", "通常のレコードと値が異なる"),
    ("zip64-missing", "it is missing", "フィールドがない"),
    ("zip64-short", "it is too short", "短すぎる"),
    ("zip64-surplus", "it has values that the header gives otherwise, or already", "ヘッダと異なる値または余分な値がある"),
    ("extra-broken", "their lengths do not add up", "長さの合計が合わない"),
    ("extra-repeated", "one stands there twice", "同じものが二つある"),
    ("no-descriptor", "none after its data has its check sum and sizes", "データの後に、チェックサムとサイズの合うものがない"),
    ("early-descriptor", "its data holds one that fits what stands before it", "データの中に、そこまでの部分と合うものがある"),
    ("not-utf-8", "the flag says UTF-8, and it is not", "フラグは UTF-8 だが、内容が UTF-8 ではない"),
    ("unmarked", "it is beyond ASCII without the flag for UTF-8", "UTF-8 のフラグがないのに ASCII 以外を含む"),
    ("unicode-path", "the Unicode Path field says otherwise", "Unicode Path フィールドと異なる"),
    ("absolute", "absolute", "絶対パスである"),
    ("drive", "the letter of a drive", "ドライブ名を含む"),
    ("device", "a device on Windows", "Windows のデバイス名である"),
    ("trailing-dot", "a dot or blank at the end of a segment", "セグメントの末尾にドットまたは空白がある"),
    ("character-windows", "a character that Windows does not allow", "Windows で使えない文字を含む"),
    ("symlink", "a symbolic link", "シンボリックリンク"),
    ("fifo", "a pipe", "パイプ"),
    ("socket", "a socket", "ソケット"),
    ("device-file", "a device", "デバイスファイル"),
    ("volume-label", "the name of a volume", "ボリュームラベル"),
    ("type-differs", "its attributes say otherwise", "属性の示す種類と異なる"),
    ("directory-data", "it has data", "データを持っている"),
    ("longer", "it is longer", "それより長い"),
    ("shorter", "it is shorter", "それより短い"),
    // Members of an index.
    ("open-member", "it is missing, and only the last member of an index that has none itself may be open", "欠けている（開いていてよいのは、`until` のないインデックスの最後のメンバーだけ）"),
    ("closed-member", "it is missing, and `{uri}` is closed with `until=\"{expected}\"`", "欠けているが、`{uri}` は `until=\"{expected}\"` で閉じている"),
    ("still-open-member", "it is `{value}`, and `{uri}` has none", "`{value}` だが、`{uri}` には `until` がない"),
    // Links between documents.
    ("wrong-kind", "a {kind}, where a {expectedKind} has to be", "{kind}だが、{expectedKind}であるべきである"),
    ("lists-it-not", "that {kind} does not list this document", "その{kind}にこの文書が載っていない"),
    ("no-index", "a {kind}, which is no index", "{kind}であり、インデックスではない"),
    ("no-href", "it has no URI in `href`", "`href` に URI がない"),
    ("outside-head", "it stands outside the head of the page", "ページの `head` の外にある"),
    ("not-a-link-element", "it is no `link` element", "`link` 要素ではない"),
    ("no-capability-list", "that is no Capability List", "機能リストではない"),
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
    ("a gzip file", "a gzip file", "gzip ファイル"),
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
