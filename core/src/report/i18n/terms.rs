//! The problem codes used in arguments, spelled out in each language.

use crate::report::Lang;

/// Code, English, Japanese.
#[rustfmt::skip]
const TERMS: &[(&str, &str, &str)] = &[
    // Why a run stopped.
    ("interrupt", "interrupt", "割り込み"),
    ("max-time", "the limit --max-time was reached", "実行時間の上限 --max-time に到達"),
    ("forbidden", "the server refused a request (status 403)", "サーバが要求を拒否（ステータス 403）"),
    ("long-wait", "the server requested a longer wait than --max-wait allows", "サーバの要求した待ち時間が --max-wait を超過"),
    ("failures", "too many requests failed", "失敗した要求が多すぎる"),
    // Datetimes.
    ("no-zone", "no time zone", "タイムゾーンがない"),
    ("blank-for-t", "a space instead of `T`", "`T` の代わりに空白がある"),
    ("surrounding-blanks", "surrounding white space", "前後に空白がある"),
    ("out-of-range", "no such date, time or offset", "存在しない日付、時刻またはオフセット"),
    ("leap-second", "seconds above 59", "秒が 59 を超えている"),
    ("form", "none of the six W3C forms", "W3C の 6 つの形式のいずれでもない"),
    // URIs.
    ("empty", "empty", "空の値"),
    ("relative", "relative reference", "相対参照"),
    ("local-path", "local file path", "ローカルのファイルパス"),
    ("blank", "contains white space", "空白を含む"),
    ("non-ascii", "contains non-ASCII characters", "非 ASCII 文字を含む"),
    ("bad-percent", "invalid percent-encoding", "不正なパーセントエンコーディング"),
    ("character", "contains a character that is not allowed in URIs", "URI で使えない文字を含む"),
    ("no-host", "no host", "ホストがない"),
    ("port", "invalid port", "不正なポート番号"),
    ("syntax", "invalid URI syntax", "不正な URI 構文"),
    // Paths.
    ("not-rooted", "no leading slash", "先頭にスラッシュがない"),
    ("empty-segment", "repeated slash", "スラッシュが連続している"),
    ("dot-segment", "`.` segment", "`.` のセグメントを含む"),
    ("parent-segment", "`..` segment", "`..` のセグメントを含む"),
    ("trailing-slash", "trailing slash", "末尾にスラッシュがある"),
    ("backslash", "contains a backslash", "バックスラッシュを含む"),
    ("control", "contains a control character", "制御文字を含む"),
    ("manifest", "the manifest itself", "マニフェスト自身"),
    // gzip.
    ("header", "invalid header", "ヘッダが不正"),
    ("data", "corrupted data", "データが破損"),
    ("checksum", "checksum mismatch", "チェックサムが不一致"),
    ("length", "length mismatch", "長さが不一致"),
    ("truncated", "truncated", "途中で切れている"),
    ("trailing", "trailing data", "末尾に余分なデータがある"),
    // Packages: the nearest name.
    ("nothing-near", "no similar name", "似た名前もない"),
    ("near-case", "found `{near}`, which differs in letter case", "大文字と小文字だけが異なる `{near}` がある"),
    ("near-unicode", "found `{near}`, which looks the same but differs in Unicode normalization", "見た目は同じで Unicode 正規化形式が異なる `{near}` がある"),
    ("near-percent", "found `{near}`, which differs in percent-encoding", "パーセントエンコーディングの有無が異なる `{near}` がある"),
    ("near-slash", "found `{near}`, which differs in its prefix", "先頭の部分が異なる `{near}` がある"),
    ("near-backslash", "found `{near}`, which contains backslashes", "バックスラッシュ区切りの `{near}` がある"),
    ("near-spelling", "found `{near}`, which has a similar spelling", "つづりの似た `{near}` がある"),
    ("manifest-nowhere", "no member has this name", "その名前のメンバーがない"),
    ("manifest-deeper", "found `{near}` inside a folder", "フォルダの中に `{near}` がある"),
    // Packages: the archive.
    ("no-package", "it is a document of the Source", "ソースの文書"),
    ("not-a-zip", "no end of central directory record", "終端レコードがない"),
    ("directory", "no central directory at the offset in the end record", "終端レコードの示す位置にセントラルディレクトリがない"),
    ("no-locator", "a field refers to ZIP64, but there is no locator", "ZIP64 を参照するフィールドがあるがロケータがない"),
    ("no-record", "no record at the offset in the locator", "ロケータの示す位置にレコードがない"),
    ("locator-in-directory", "the central directory ends with bytes that look like a locator", "セントラルディレクトリの末尾がロケータに見える"),
    ("record-size", "the record contains data of a later version", "レコードに新しいバージョンのデータが含まれる"),
    ("locator-offset", "wrong offset in the locator", "ロケータのオフセットが誤っている"),
    ("fields-differ", "the regular record has different values", "通常のレコードと値が異なる"),
    ("zip64-missing", "missing", "フィールドがない"),
    ("zip64-short", "too short", "短すぎる"),
    ("zip64-surplus", "unexpected or contradicting values", "余分な値またはヘッダと矛盾する値がある"),
    ("extra-broken", "their lengths do not add up", "長さの合計が合わない"),
    ("extra-repeated", "duplicate field", "フィールドが重複している"),
    ("no-descriptor", "none with its checksum and sizes after the data", "データの後に、チェックサムとサイズの一致するものがない"),
    ("early-descriptor", "the data contains a matching descriptor", "データの中に一致するものがある"),
    ("not-utf-8", "UTF-8 flag set, but not UTF-8", "UTF-8 フラグがあるが UTF-8 ではない"),
    ("unmarked", "non-ASCII without the UTF-8 flag", "非 ASCII 文字を含むが UTF-8 フラグがない"),
    ("unicode-path", "the Unicode Path field differs", "Unicode Path フィールドと異なる"),
    ("absolute", "absolute path", "絶対パス"),
    ("drive", "drive letter", "ドライブ文字を含む"),
    ("device", "reserved device name on Windows", "Windows の予約デバイス名"),
    ("trailing-dot", "segment ending with a dot or space", "セグメントの末尾にドットまたは空白がある"),
    ("character-windows", "contains a character that is not allowed on Windows", "Windows で使えない文字を含む"),
    ("symlink", "symbolic link", "シンボリックリンク"),
    ("fifo", "named pipe", "名前付きパイプ"),
    ("socket", "socket", "ソケット"),
    ("device-file", "device file", "デバイスファイル"),
    ("volume-label", "volume label", "ボリュームラベル"),
    ("type-differs", "its attributes differ", "属性の示す種類と異なる"),
    ("directory-data", "it contains data", "データを含む"),
    ("longer", "longer", "宣言より長い"),
    ("shorter", "shorter", "宣言より短い"),
    // Entries of an index.
    ("open-member", "missing, but only the last entry of an index without `until` may be open", "`until` がないが、開いていてよいのは `until` のないインデックスの最後のエントリだけ"),
    ("closed-member", "missing, but `{uri}` has `until=\"{expected}\"`", "`until` がないが、`{uri}` には `until=\"{expected}\"` がある"),
    ("still-open-member", "`{value}`, but `{uri}` has none", "`{value}` だが、`{uri}` には `until` がない"),
    // Links between documents.
    ("listed-twice", "more than one", "2 件以上ある"),
    ("not-listed", "none, although it is a {expectedKind} of the same set", "同じセットの{expectedKind}なのに 1 件もない"),
    ("wrong-kind", "it is a {kind}, expected a {expectedKind}", "{expectedKind}ではなく{kind}"),
    ("lists-it-not", "that {kind} does not list this document", "この文書がその{kind}にない"),
    ("no-index", "it is a {kind}, not an index", "インデックスではなく{kind}"),
    ("no-href", "no URI in `href`", "`href` に URI がない"),
    ("outside-head", "outside the `head` of the page", "ページの `head` の外にある"),
    ("not-a-link-element", "not a `link` element", "`link` 要素ではない"),
    ("no-capability-list", "not a Capability List", "機能リストではない"),
    // Formats of inputs.
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
    ("a package of another format", "a package of another format", "別の形式のパッケージ"),
    ("a gzip file", "a gzip file", "gzip ファイル"),
    ("gzip inside gzip", "gzip inside gzip", "gzip の中の gzip"),
];

/// The text of a problem code; `None` for any other text.
pub(in crate::report) fn term(word: &str, lang: Lang) -> Option<&'static str> {
    let (_, en, _ja) = TERMS.iter().find(|(own, ..)| *own == word)?;
    Some(match lang {
        Lang::En => en,
        #[cfg(feature = "texts")]
        Lang::Ja => _ja,
    })
}
