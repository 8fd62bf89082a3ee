//! The Japanese texts of the reasons why an input was not read. The faces report reasons in English, as part of the data.

use alloc::borrow::Cow;
#[cfg(feature = "texts")]
use alloc::string::{String, ToString};

use crate::report::Lang;

/// English and Japanese; `{…}` is a placeholder, whose value may be a reason itself.
#[cfg(feature = "texts")]
#[rustfmt::skip]
pub(in crate::report) const REASONS: &[(&str, &str)] = &[
    // Files.
    ("no such file or folder", "ファイルまたはフォルダが存在しない"),
    ("no such file", "ファイルが存在しない"),
    ("permission denied", "アクセス権がない"),
    ("it is a folder", "フォルダが指定されている"),
    ("a path component is not a folder", "パスの途中がフォルダではない"),
    ("not a regular file", "通常のファイルではない"),
    ("folder without index.html", "index.html のないフォルダ"),
    ("outside {base}", "{base} の外"),
    ("URIs with a query do not map to files", "クエリ付きの URI はファイルに対応しない"),
    ("symbolic link to a file outside the folder", "フォルダの外のファイルを指すシンボリックリンク"),
    ("no ResourceSync documents or sitemaps in this folder", "このフォルダに ResourceSync の文書もサイトマップもない"),
    ("XML, but not a sitemap", "サイトマップではない XML"),
    // Responses.
    ("the server responded with {status}", "サーバの応答: {status}"),
    ("response status {status}", "応答ステータス {status}"),
    ("status {status} with Retry-After {wait} s, more than {n} s (limit {limit})", "ステータス {status}、Retry-After の {wait} 秒が {n} 秒を超過（上限 {limit}）"),
    ("response body of more than {n} bytes (limit {limit})", "応答本文が {n} バイトを超過（上限 {limit}）"),
    ("response headers of more than {n} bytes (limit {limit})", "応答ヘッダが {n} バイトを超過（上限 {limit}）"),
    ("unrequested Content-Encoding `{coding}`", "要求していない Content-Encoding `{coding}`"),
    ("invalid gzip content encoding ({how})", "Content-Encoding の gzip データが不正（{how}）"),
    ("invalid HTTP response: {why}", "不正な HTTP 応答: {why}"),
    ("unexpected status {status} for a range request", "範囲リクエストへの応答ステータスが {status}"),
    ("the server sent a different range than requested", "要求と異なる範囲が返された"),
    ("invalid Content-Range header", "Content-Range ヘッダが不正"),
    ("the range is incomplete", "返された範囲が不完全"),
    ("shorter than announced", "宣言された長さより短い"),
    ("truncated while being read", "読み取り中に短くなった"),
    ("its size changed while being read", "読み取り中にサイズが変わった"),
    ("changed while being read", "読み取り中に変更された"),
    // URIs and redirects.
    ("not an absolute URI: `{uri}`", "絶対 URI ではない: `{uri}`"),
    ("invalid redirect target: `{uri}`", "リダイレクト先が不正: `{uri}`"),
    ("status {status} without a Location header", "ステータス {status} の応答に Location ヘッダがない"),
    ("status {status} with several Location headers", "ステータス {status} の応答に Location ヘッダが複数ある"),
    ("redirect loop", "リダイレクトループ"),
    ("more than {n} redirects (limit {limit})", "リダイレクトが {n} 回を超過（上限 {limit}）"),
    ("redirect from https to http is not followed: `{uri}`", "https から http へのリダイレクトは対象外: `{uri}`"),
    // Connections.
    ("could not resolve `{host}`", "`{host}` の名前解決に失敗"),
    ("the host has no IP address", "ホストに IP アドレスがない"),
    ("DNS timeout for `{host}`", "`{host}` の名前解決がタイムアウト"),
    ("connection refused", "接続が拒否された"),
    ("connection closed before the end of the response", "応答の途中で接続が切断された"),
    ("host unreachable", "ホストに到達できない"),
    ("{what} after {n} s (limit {limit})", "{n} 秒で{what}（上限 {limit}）"),
    ("connect timeout", "接続タイムアウト"),
    ("response header timeout", "応答ヘッダの受信タイムアウト"),
    ("read timeout", "読み取りタイムアウト"),
    ("total timeout", "全体のタイムアウト"),
    ("transfer rate below {n} bytes per second (limit {limit})", "転送速度が毎秒 {n} バイト未満（下限 {limit}）"),
    // Policy.
    ("{why}; --allow-host {host} allows it: `{uri}`", "{why}。許可するには --allow-host {host} を指定: `{uri}`"),
    ("non-public address ({what})", "公開されていないアドレス（{what}）"),
    ("not the port of the given URL", "指定された URL とポートが異なる"),
    ("not the host of the given URL", "指定された URL とホストが異なる"),
    ("disallowed by robots.txt", "robots.txt で禁止されている"),
    ("not in the recording: `{uri}`", "記録にない: `{uri}`"),
    ("notification channels require HTTP, which is not available here", "通知チャンネルの検証に必要な HTTP を利用できない"),
    // Runs.
    ("the limit on the number of documents was reached", "文書数の上限に到達"),
    ("the crawl was stopped", "検証が中止された"),
    ("the run was interrupted", "実行が中断された"),
    ("interrupt", "中断"),
];

/// A reason in the given language; an unknown one is returned unchanged.
pub(in crate::report) fn reason(text: &str, lang: Lang) -> Cow<'_, str> {
    match lang {
        Lang::En => Cow::Borrowed(text),
        #[cfg(feature = "texts")]
        Lang::Ja => {
            let known = REASONS.iter().find_map(|(english, japanese)| filled(english, japanese, text));
            known.map_or(Cow::Borrowed(text), Cow::Owned)
        }
    }
}

/// The second template, filled with the values that the text has at the placeholders of the first.
#[cfg(feature = "texts")]
fn filled(template: &str, other: &str, text: &str) -> Option<String> {
    let mut filled = other.to_string();
    let (first, mut rest) = template.split_once('{').unwrap_or((template, ""));
    let mut text = text.strip_prefix(first)?;
    while let Some((name, after)) = rest.split_once('}') {
        let (fixed, next) = after.split_once('{').unwrap_or((after, ""));
        let end = if next.is_empty() { text.strip_suffix(fixed)?.len() } else { text.find(fixed)? };
        let (value, after) = text.split_at_checked(end)?;
        filled = filled.replace(&alloc::format!("{{{name}}}"), &reason(value, Lang::Ja));
        (text, rest) = (after.strip_prefix(fixed)?, next);
    }
    text.is_empty().then_some(filled)
}

#[cfg(all(test, feature = "texts"))]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn a_known_reason_is_translated_with_its_values() {
        let ja = |text| reason(text, Lang::Ja);
        assert_eq!(ja("no such file"), "ファイルが存在しない");
        assert_eq!(ja("the server responded with 404 Not Found"), "サーバの応答: 404 Not Found");
        assert_eq!(
            ja("not the host of the given URL; --allow-host b.example allows it: `http://b.example/`"),
            "指定された URL とホストが異なる。許可するには --allow-host b.example を指定: `http://b.example/`"
        );
    }

    #[test]
    fn an_unknown_reason_is_returned_unchanged() {
        for text in ["", "{", "no such file at all", "response status", "not below", "Too many open files"] {
            assert_eq!(reason(text, Lang::Ja), text);
        }
        assert_eq!(reason("no such file", Lang::En), "no such file");
    }

    #[test]
    fn both_languages_have_the_same_values() {
        let values = |text: &str| {
            let mut names: Vec<String> =
                text.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0.to_string())).collect();
            names.sort();
            names
        };
        for (english, japanese) in REASONS {
            assert_eq!(values(english), values(japanese), "{english}");
        }
    }
}
