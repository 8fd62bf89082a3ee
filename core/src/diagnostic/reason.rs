//! Why something could not be read or fetched, as a code with named values.

use alloc::{
    borrow::ToOwned,
    collections::BTreeMap,
    string::{String, ToString},
};
use core::fmt;

use serde::{Deserialize, Serialize};

/// A row for each reason: its code in data, its text in English and in Japanese. `{name}` stands for an argument.
macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $en:literal, $ja:literal;)*) => {
        /// The code of a reason why something could not be read or fetched.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ReasonCode { $(#[doc = $en] $name,)* }

        impl ReasonCode {
            /// All codes.
            pub const ALL: &'static [ReasonCode] = &[$(ReasonCode::$name),*];

            /// The name in data.
            pub fn as_str(self) -> &'static str {
                match self { $(ReasonCode::$name => $code),* }
            }

            /// The text in English, with `{name}` for each argument.
            pub fn template(self) -> &'static str {
                match self { $(ReasonCode::$name => $en),* }
            }

            /// The text in Japanese, with `{name}` for each argument.
            #[cfg(feature = "texts")]
            pub fn template_ja(self) -> &'static str {
                match self { $(ReasonCode::$name => $ja),* }
            }
        }
    };
}

#[rustfmt::skip]
reasons! {
    // Files and folders.
    NoSuchPath = "no-such-path", "no such file or folder", "ファイルまたはフォルダが存在しない";
    NoSuchFile = "no-such-file", "no such file", "ファイルが存在しない";
    PermissionDenied = "permission-denied", "permission denied", "アクセス権がない";
    IsFolder = "is-folder", "it is a folder", "フォルダが指定されている";
    NotFolder = "not-folder", "a path component is not a folder", "パスの途中がフォルダではない";
    NoSpace = "no-space", "no space left on the device", "デバイスに空き領域がない";
    Quota = "quota", "disk quota exceeded", "ディスククォータを超過";
    ReadOnly = "read-only", "the file system is read-only", "ファイルシステムが読み取り専用";
    InvalidFileName = "invalid-file-name", "invalid file name", "無効なファイル名";
    NotRegularFile = "not-regular-file", "not a regular file", "通常のファイルではない";
    NoIndexPage = "no-index-page", "folder without index.html", "index.html のないフォルダ";
    OutsideBase = "outside-base", "outside {base}", "{base} の外";
    QueryInFolder = "query-in-folder", "URIs with a query do not map to files", "クエリ付きの URI はファイルに対応しない";
    LinkOutOfFolder = "link-out-of-folder", "symbolic link to a file outside the folder", "フォルダの外のファイルを指すシンボリックリンク";
    FolderLink = "folder-link", "symbolic link to a folder, which is not followed", "フォルダへのシンボリックリンクは対象外";
    NothingInFolder = "nothing-in-folder", "no ResourceSync documents or sitemaps in this folder", "このフォルダに ResourceSync の文書もサイトマップもない";
    ForeignXml = "foreign-xml", "XML, but not a sitemap", "サイトマップではない XML";
    NotXml = "not-xml", "not XML", "XML ではない";
    EmptyFile = "empty-file", "an empty file", "空のファイル";
    Doctype = "doctype", "XML with a document type declaration", "文書型宣言のある XML";
    OtherSitemap = "other-sitemap", "a sitemap with another namespace", "別の名前空間のサイトマップ";
    Unclaimed = "unclaimed", "damaged, and not recognizable as a ResourceSync document", "壊れており、ResourceSync の文書とは認められない";
    UnclaimedZip = "unclaimed-zip", "a damaged ZIP archive that no dump lists", "ダンプに載っていない、壊れた ZIP アーカイブ";
    OtherManifest = "other-manifest", "a ZIP archive with another kind of manifest", "別の形式のマニフェストを含む ZIP アーカイブ";
    Format = "format", "{looks}", "{looks}";
    NoManifest = "no-manifest", "a ZIP archive without a manifest", "マニフェストのない ZIP アーカイブ";
    NotPackage = "not-package", "not a package", "パッケージではない";
    NoMirror = "no-mirror", "no mirror supplied it", "どのミラーからも取得できない";
    PackageFault = "package-fault", "verification found {code}", "検証で {code} を検出";
    PipedPackageTooLarge = "piped-package-too-large", "larger than package_bytes ({n}), the limit for packages read from a pipe", "パイプから読み取るパッケージの上限 package_bytes（{n}）を超過";
    NotReadToEnd = "not-read-to-end", "not read to its end ({code})", "最後まで読めなかった（{code}）";
    NotDocument = "not-document", "not a ResourceSync document ({kind})", "ResourceSync の文書ではない（{kind}）";
    OtherKind = "other-kind", "its kind is {kind}, and {expected} is expected", "種類が {expected} ではなく {kind}";
    EntriesNotKept = "entries-not-kept", "entries that exceed the limits kept_entries, kept_entry_bytes or crawl_entries: {n}", "{n} 個のエントリが上限 kept_entries、kept_entry_bytes、crawl_entries のいずれかを超過";
    EntriesWithoutUri = "entries-without-uri", "entries without a valid URI: {n}", "{n} 個のエントリに有効な URI がない";
    Truncated = "truncated", "truncated while being read", "読み取り中に短くなった";
    SizeChanged = "size-changed", "its size changed while being read", "読み取り中にサイズが変わった";
    Changed = "changed", "changed while being read", "読み取り中に変更された";
    UnpackLimit = "unpack-limit", "unpacking it would exceed the limit {limit} ({n})", "展開すると上限 {limit}（{n}）を超過";
    TooLarge = "too-large", "too large for this machine", "このコンピュータで扱えるサイズを超過";
    // Responses.
    NoFetching = "no-fetching", "fetching URLs is not supported here", "ここでは URL を取得できない";
    NotThere = "not-there", "not found", "見つからない";
    HttpStatus = "http-status", "response status {status}", "応答ステータス {status}";
    RetryAfter = "retry-after", "status {status} with Retry-After {wait} s, more than {n} s (limit {limit})", "ステータス {status}、Retry-After の {wait} 秒が {n} 秒を超過（上限 {limit}）";
    BodyRatio = "body-ratio", "response body decompresses to more than the limit {limit} allows", "応答本文の展開後の大きさが上限 {limit} を超過";
    BodyTooLong = "body-too-long", "response body of more than {n} bytes (limit {limit})", "応答本文が {n} バイトを超過（上限 {limit}）";
    HeadersTooLong = "headers-too-long", "response headers of more than {n} bytes (limit {limit})", "応答ヘッダが {n} バイトを超過（上限 {limit}）";
    TooManyHeaders = "too-many-headers", "response with more than {n} header fields (limit {limit})", "応答ヘッダのフィールド数が {n} を超過（上限 {limit}）";
    ContentEncoding = "content-encoding", "unsupported Content-Encoding `{coding}`", "対応していない Content-Encoding `{coding}`";
    InvalidGzip = "invalid-gzip", "invalid gzip content encoding ({problem})", "Content-Encoding の gzip データが不正（{problem}）";
    InvalidResponse = "invalid-response", "invalid HTTP response: {detail}", "不正な HTTP 応答: {detail}";
    RangeStatus = "range-status", "unexpected status {status} for a range request", "範囲リクエストへの応答ステータスが {status}";
    OtherRange = "other-range", "the server sent a different range than requested", "要求と異なる範囲が返された";
    InvalidContentRange = "invalid-content-range", "invalid Content-Range header", "Content-Range ヘッダが不正";
    IncompleteRange = "incomplete-range", "the range is incomplete", "返された範囲が不完全";
    ShorterThanAnnounced = "shorter-than-announced", "shorter than announced", "宣言された長さより短い";
    // URIs and redirects.
    NotUri = "not-uri", "not an absolute URI: `{uri}`", "絶対 URI ではない: `{uri}`";
    NotHttp = "not-http", "only http and https without credentials are fetched", "http と https 以外、または認証情報を含む URI は対象外";
    RedirectTarget = "redirect-target", "invalid redirect target: `{uri}`", "リダイレクト先が不正: `{uri}`";
    NoLocation = "no-location", "status {status} without a Location header", "ステータス {status} の応答に Location ヘッダがない";
    SeveralLocations = "several-locations", "status {status} with several Location headers", "ステータス {status} の応答に Location ヘッダが複数ある";
    RedirectLoop = "redirect-loop", "redirect loop", "リダイレクトループ";
    TooManyRedirects = "too-many-redirects", "more than {n} redirects (limit {limit})", "リダイレクトが {n} 回を超過（上限 {limit}）";
    Downgrade = "downgrade", "redirect from https to http is not followed: `{uri}`", "https から http へのリダイレクトは対象外: `{uri}`";
    // Connections.
    UnknownHost = "unknown-host", "could not resolve `{host}`", "`{host}` の名前解決に失敗";
    NoAddress = "no-address", "the host has no IP address", "ホストに IP アドレスがない";
    DnsTimeout = "dns-timeout", "DNS timeout for `{host}` (limit {limit})", "`{host}` の名前解決がタイムアウト（上限 {limit}）";
    ConnectionRefused = "connection-refused", "connection refused", "接続が拒否された";
    ConnectionClosed = "connection-closed", "connection closed before the end of the response", "応答の途中で接続が切断された";
    Unreachable = "unreachable", "host unreachable", "ホストに到達できない";
    ConnectTimeout = "connect-timeout", "connect timeout after {n} s (limit {limit})", "{n} 秒で接続タイムアウト（上限 {limit}）";
    HeaderTimeout = "header-timeout", "response header timeout after {n} s (limit {limit})", "{n} 秒で応答ヘッダの受信タイムアウト（上限 {limit}）";
    ReadTimeout = "read-timeout", "read timeout after {n} s (limit {limit})", "{n} 秒で読み取りタイムアウト（上限 {limit}）";
    TotalTimeout = "total-timeout", "total timeout after {n} s (limit {limit})", "{n} 秒で全体のタイムアウト（上限 {limit}）";
    TooSlow = "too-slow", "transfer rate below {n} bytes per second (limit {limit})", "転送速度が毎秒 {n} バイト未満（下限 {limit}）";
    // Policy.
    PrivateAddress = "private-address", "non-public address ({what}); --allow-host {host} allows it: `{uri}`", "パブリックではないアドレス（{what}）。許可するには --allow-host {host} を指定: `{uri}`";
    OtherPort = "other-port", "not the port of the given URL; --allow-host {host} allows it: `{uri}`", "指定された URL とポートが異なる。許可するには --allow-host {host} を指定: `{uri}`";
    OtherHost = "other-host", "not the host of the given URL; --allow-host {host} allows it: `{uri}`", "指定された URL とホストが異なる。許可するには --allow-host {host} を指定: `{uri}`";
    Robots = "robots", "disallowed by robots.txt", "robots.txt で禁止されている";
    NotRecorded = "not-recorded", "not in the recording: `{uri}`", "記録にない: `{uri}`";
    NoHttp = "no-http", "notification channels require HTTP, which is not available here", "通知チャンネルの検証に必要な HTTP を利用できない";
    // Notifications.
    HubStatus = "hub-status", "response status {status}: {text}", "応答ステータス {status}: {text}";
    NotVerified = "not-verified", "the hub did not verify the request within {n} s", "ハブが {n} 秒以内に要求を検証しなかった";
    NotAnnounced = "not-announced", "there were changes that the hub did not announce", "ハブが通知しなかった変更がある";
    NoSecret = "no-secret", "deliveries are not signed: no secret is sent without TLS", "配信は署名されない（TLS なしでは共有鍵を送らない）";
    NoHubReason = "no-hub-reason", "the hub gives no reason", "ハブが理由を示していない";
    NoChannel = "no-channel", "none is advertised", "通知チャンネルが公開されていない";
    UnknownChannel = "unknown-channel", "`{uri}` does not show what it announces", "`{uri}` が何を通知するのか分からない";
    // Runs.
    DocumentLimit = "document-limit", "the limit on the number of documents was reached", "文書数の上限に到達";
    CrawlStopped = "crawl-stopped", "the crawl was stopped", "検証が中止された";
    Interrupted = "interrupted", "the run was interrupted", "実行が中断された";
    Bug = "bug", "internal error of the validator; please report it as a bug", "検証ツールの内部エラー（不具合としてご報告ください）";
    // Anything else, with the caller's text.
    Other = "other", "{text}", "{text}";
}

impl ReasonCode {
    /// The code of this name.
    pub fn find(name: &str) -> Option<ReasonCode> {
        ReasonCode::ALL.iter().copied().find(|code| code.as_str() == name)
    }
}

/// Why something could not be read or fetched.
///
/// It consists of a code and arguments, and reports render it in English or Japanese. A driver maps its errors to codes:
///
/// ```
/// use resourcesync::{api::FetchError, diagnostic::{Reason, ReasonCode}};
///
/// let reason = Reason::new(ReasonCode::UnknownHost).arg("host", "a.example");
/// assert_eq!(reason.to_string(), "could not resolve `a.example`");
/// let error = FetchError::Failed { reason };
/// # let FetchError::Failed { reason } = error else { unreachable!() };
/// assert_eq!(serde_json::to_string(&reason)?, r#"{"code":"unknown-host","args":{"host":"a.example"}}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// Reasons without a code are text, in one line and in lower case: [`Reason::other`]. In JSON such a text may replace the whole object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Given")]
pub struct Reason {
    /// The code.
    pub code: ReasonCode,
    /// The arguments of the text.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub args: BTreeMap<String, String>,
}

impl Reason {
    /// A reason without arguments.
    pub fn new(code: ReasonCode) -> Reason {
        Reason { code, args: BTreeMap::new() }
    }

    /// A reason with the caller's text: one line, in lower case.
    pub fn other(text: impl Into<String>) -> Reason {
        Reason { code: ReasonCode::Other, args: BTreeMap::from([("text".to_owned(), text.into())]) }
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, name: &str, value: impl ToString) -> Reason {
        self.args.insert(name.to_owned(), value.to_string());
        self
    }

    /// The HTTP status, if it is an argument.
    pub fn status(&self) -> Option<u16> {
        self.args.get("status")?.parse().ok()
    }

    /// Fills the template with the arguments, each formatted by `render`.
    pub fn fill(&self, template: &str, render: impl Fn(&str, &str) -> String) -> String {
        let (mut text, mut rest) = (String::new(), template);
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            text.push_str(before);
            text.push_str(&render(name, self.args.get(name).map_or("", String::as_str)));
            rest = after;
        }
        text.push_str(rest);
        text
    }
}

/// In English.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fill(self.code.template(), |_, value| value.to_owned()))
    }
}

impl Serialize for ReasonCode {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// A reason in JSON: a text, or a code with its arguments.
#[derive(Deserialize)]
#[serde(untagged)]
enum Given {
    Text(String),
    Coded {
        code: String,
        #[serde(default)]
        args: BTreeMap<String, String>,
    },
}

impl From<Given> for Reason {
    fn from(given: Given) -> Reason {
        match given {
            Given::Text(text) => Reason::other(text),
            // A later version may define more codes.
            Given::Coded { code, args } => match ReasonCode::find(&code) {
                Some(code) => Reason { code, args },
                None => Reason::other(code),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_read_as_it_is_written() {
        let reason = Reason::new(ReasonCode::HttpStatus).arg("status", 503);
        let json = serde_json::to_string(&reason).unwrap();
        assert_eq!(serde_json::from_str::<Reason>(&json).unwrap(), reason);
        assert_eq!(serde_json::from_str::<Reason>("\"not today\"").unwrap(), Reason::other("not today"));
        assert_eq!(serde_json::from_str::<Reason>(r#"{"code":"from-later"}"#).unwrap(), Reason::other("from-later"));
        assert!(serde_json::from_str::<Reason>("{}").is_err());
    }

    #[test]
    #[cfg(feature = "texts")]
    fn both_languages_have_the_same_values_and_each_code_one_name() {
        let values = |template: &str| {
            let mut names: alloc::vec::Vec<String> =
                template.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0.to_owned())).collect();
            names.sort();
            names
        };
        let mut names = alloc::vec![];
        for code in ReasonCode::ALL {
            assert_eq!(values(code.template()), values(code.template_ja()), "{}", code.as_str());
            assert_eq!(ReasonCode::find(code.as_str()), Some(*code));
            assert!(!names.contains(&code.as_str()), "{}", code.as_str());
            names.push(code.as_str());
        }
    }
}
