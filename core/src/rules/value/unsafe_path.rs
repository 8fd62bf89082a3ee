//! `unsafe-path`: a `path` that does not identify one file inside the package on every system.

use alloc::format;

use crate::{rules::prelude::*, value::PathProblem};

rule! {
    "unsafe-path" reports [AT_17]
    checks [Check::Named(Depends::Usual, &[Name::Path], check)]
    message "`path` is `{value}`, which does not identify a bitstream in the package ({problem})"
    help "write plain segments separated by single slashes: no `.` or `..`, no backslash, no trailing slash, not the manifest itself"
    en {
        what "`path` identifies one file inside the package: it has no empty, `.` or `..` segment, no backslash and no \
            trailing slash, and is not `/manifest.xml`."
        why "`..` is a path traversal: it leaves the folder into which the package is unpacked and may overwrite other \
            files, so careful harvesters reject the whole package. Backslashes and repeated slashes are interpreted \
            differently on different systems."
        fix "Write the name of the ZIP member with a leading `/` and `/` between its segments. Normalize paths before \
            you build the package, not only in the manifest."
    }
    ja {
        message "`path` の値 `{value}` がパッケージ内のビットストリームを指していない（{problem}）"
        help "1 つの `/` で区切った通常の名前だけで書いてください（`.`、`..`、バックスラッシュ、末尾の `/`、マニフェスト自身は使えません）"
        what "`path` はパッケージ内の 1 つのファイルを指します。空のセグメント、`.`、`..`、バックスラッシュ、末尾の\
            スラッシュは使えず、`/manifest.xml` も指定できません。"
        why "`..` はパストラバーサルに当たります。展開先フォルダの外に出て、ほかのファイルを\
            上書きするおそれがあるため、安全性を重視するハーベスタはパッケージ全体を拒否します。バックスラッシュや\
            連続するスラッシュの解釈は環境によって異なります。"
        fix "ZIP のメンバー名の先頭に `/` を付け、区切りにも `/` を使います。パスは、マニフェストだけでなく、\
            パッケージを作成する前に正規化します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcedump-manifest" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17.pdf</loc>
    <rs:md length="8876" type="application/pdf" path="/resources/../17.pdf"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcedump-manifest" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17.pdf</loc>
    <rs:md length="8876" type="application/pdf" path="/17.pdf"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, attribute: &Attribute) {
    let (AttributeValue::Path(field), Some(_)) = (&attribute.value, cx.entry) else { return };
    let Some(text) = field.loose() else { return };
    if !cx.profile.is_manifest() {
        return;
    }
    let problem = match BitstreamPath::problem(text) {
        // Other problems than the missing slash are reported separately.
        Some(PathProblem::NotRooted) => {
            // The two slashes of a URI are not an empty segment.
            let is_uri = text.contains("://");
            BitstreamPath::problem(&format!("/{text}"))
                .filter(|problem| !(is_uri && *problem == PathProblem::EmptySegment))
        }
        Some(PathProblem::Empty) => None,
        problem => problem,
    };
    if let Some(problem) = problem {
        let finding = Finding::new(Code::AT_17).arg("value", text).arg("problem", problem.as_str());
        cx.report_value(finding, attribute);
    }
}
