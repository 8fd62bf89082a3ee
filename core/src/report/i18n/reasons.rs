//! Why something could not be had, in Japanese. Reasons come from the faces, in English, as part of the data.

use alloc::borrow::Cow;
#[cfg(feature = "texts")]
use alloc::string::{String, ToString};

use crate::report::Lang;

/// English and Japanese; `{…}` stands for what differs, and may be a reason itself.
#[cfg(feature = "texts")]
#[rustfmt::skip]
pub(in crate::report) const REASONS: &[(&str, &str)] = &[
    // Files.
    ("no such file or folder", "そのようなファイルやフォルダはない"),
    ("no such file", "そのようなファイルはない"),
    ("permission denied", "アクセス権がない"),
    ("it is a folder", "フォルダである"),
    ("a part of the path is not a folder", "パスの途中がフォルダではない"),
    ("not a regular file", "通常のファイルではない"),
    ("a folder without index.html", "index.html のないフォルダである"),
    ("it is not below {base}", "{base} の下にない"),
    ("a folder has no URIs with a query", "フォルダにはクエリ付きの URI がない"),
    ("a symbolic link leads out of the folder", "シンボリックリンクがフォルダの外を指している"),
    ("no ResourceSync document and no sitemap is in this folder", "このフォルダには ResourceSync の文書もサイトマップもない"),
    ("XML of another vocabulary", "別の語彙の XML である"),
    // Answers.
    ("the server answers {status}", "サーバの応答は {status} である"),
    ("the server answered {status}", "サーバの応答は {status} である"),
    ("the body is longer than {n} bytes (limit {limit})", "本体が {n} バイトより長い（制限 {limit}）"),
    ("the headers of the answer are longer than {n} bytes (limit {limit})", "応答のヘッダが {n} バイトより長い（制限 {limit}）"),
    ("the server packed it as `{coding}` (Content-Encoding), which was not asked for", "要求していない `{coding}`（Content-Encoding）で圧縮されている"),
    ("it is said to be gzip (Content-Encoding) and is damaged ({how})", "gzip（Content-Encoding）とされているが壊れている（{how}）"),
    ("the answer is not HTTP as it should be: {why}", "応答が正しい HTTP ではない: {why}"),
    ("it is shorter than it seemed", "はじめの長さより短い"),
    ("it changed while it was read", "読んでいる間に変わった"),
    // URIs and redirects.
    ("not an absolute URI: `{uri}`", "絶対 URI ではない: `{uri}`"),
    ("it redirects to what is not a URI: `{uri}`", "リダイレクト先が URI ではない: `{uri}`"),
    ("its redirects go round in a circle", "リダイレクトが循環している"),
    ("it redirects more than {n} times (limit {limit})", "リダイレクトが {n} 回を超えている（制限 {limit}）"),
    ("it redirects from https to http, which is not followed: `{uri}`", "https から http へのリダイレクトはたどらない: `{uri}`"),
    // Connections.
    ("no host is called `{host}`", "`{host}` というホストはない"),
    ("the host has no address", "ホストにアドレスがない"),
    ("looking up `{host}` took too long", "`{host}` の名前解決に時間がかかりすぎた"),
    ("the connection was refused", "接続が拒否された"),
    ("the connection ended before the answer did", "応答の途中で接続が切れた"),
    ("there is no way to the host", "ホストに到達できない"),
    ("{what} within {n} s (limit {limit})", "{n} 秒以内に{what}（制限 {limit}）"),
    ("no connection came about", "接続できなかった"),
    ("the headers of the answer did not come", "応答のヘッダが届かなかった"),
    ("nothing came any more", "何も届かなかった"),
    ("the answer did not end", "応答が終わらなかった"),
    ("the body came more slowly than {n} bytes a second (limit {limit})", "本体の届く速さが毎秒 {n} バイトに満たない（制限 {limit}）"),
    // What is not asked for.
    ("{why}; --allow-host {host} lets it be fetched: `{uri}`", "{why}。取得を許すには --allow-host {host} を指定する: `{uri}`"),
    ("its address is not public ({what})", "公開されたアドレスではない（{what}）"),
    ("its port is not the one you named", "指定されたポートではない"),
    ("its host is not the one you named", "指定されたホストではない"),
    ("robots.txt disallows it", "robots.txt が禁じている"),
    ("it is not in the recording: `{uri}`", "記録の中にない: `{uri}`"),
    ("a notification channel is asked over HTTP, and there is none here", "通知チャネルには HTTP で問い合わせるが、ここに HTTP はない"),
    // Runs.
    ("the run was interrupted", "実行が中断された"),
    ("interrupt", "中断"),
];

/// A reason in the words of a language; one that is not known stays as it is.
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

/// The second template with what the text has in place of the first one's names.
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
    fn a_known_reason_is_said_in_japanese_with_its_values() {
        let ja = |text| reason(text, Lang::Ja);
        assert_eq!(ja("no such file"), "そのようなファイルはない");
        assert_eq!(ja("the server answers 404 Not Found"), "サーバの応答は 404 Not Found である");
        assert_eq!(
            ja("its host is not the one you named; --allow-host b.example lets it be fetched: `http://b.example/`"),
            "指定されたホストではない。取得を許すには --allow-host b.example を指定する: `http://b.example/`"
        );
    }

    #[test]
    fn what_is_not_known_stays_as_it_is() {
        for text in ["", "{", "no such file at all", "the server answers", "it is not below", "Too many open files"] {
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
