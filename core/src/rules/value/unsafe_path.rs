//! `unsafe-path`: a `path` that names no file inside the package, or not the same one to everybody.

use alloc::format;

use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Attribute, Kind, Name, Value},
    rules::{Check, Look, rule},
    value::{BitstreamPath, PathProblem},
};

rule! {
    "unsafe-path" reports [AT_17]
    checks [Check::Named(&[Name::Path], check)]
    message "`path` is `{value}`, which names no bitstream of the package ({problem})"
    help "write plain segments separated by single `/`: no `.` or `..`, no backslash, no slash at the end, not the \
        manifest itself"
    en {
        what "`path` names one file inside the package: no empty, `.` or `..` segment, no backslash, no trailing slash, \
            and not `/manifest.xml`."
        why "`..` leads out of the folder a harvester unpacks into and may overwrite its files, so careful harvesters \
            refuse the whole package. Backslashes and doubled slashes mean different files on different systems."
        mend "Write the name of the member in the ZIP file with `/` before it and between its segments. Normalise paths \
            before you build the package, not only in the manifest."
    }
    ja {
        message "`path` の `{value}` はパッケージ内のビットストリームを指していない（{problem}）"
        help "`/` 一つで区切った普通の名前だけで書き、`.`、`..`、バックスラッシュ、末尾の `/`、マニフェスト自身は使わない"
        what "`path` はパッケージ内の一つのファイルを指します。空のセグメント、`.`、`..`、バックスラッシュ、末尾のスラッシュは\
            使えず、`/manifest.xml` も指定できません。"
        why "`..` は展開先フォルダの外を指し、ハーベスタのファイルを上書きするおそれがあるため、慎重なハーベスタはパッ\
            ケージ全体を拒否します。バックスラッシュや連続したスラッシュは、環境によって別のファイルを意味します。"
        mend "ZIP ファイル内のメンバー名の先頭に `/` を付け、区切りにも `/` を使います。パスの正規化は、マニフェス\
            トだけでなくパッケージを作る前に行います。"
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

fn check(look: &mut Look<'_>, attribute: &Attribute) {
    let (Value::Path(field), Some(_)) = (&attribute.value, look.entry) else { return };
    let Some(text) = field.loose() else { return };
    if !matches!(look.kind(), Kind::ResourceDumpManifest | Kind::ChangeDumpManifest) {
        return;
    }
    let problem = match BitstreamPath::problem(text) {
        // What is wrong besides the missing slash is a fact of its own.
        Some(PathProblem::NotRooted) => {
            // The two slashes of a URI are no empty segment.
            let is_uri = text.contains("://");
            BitstreamPath::problem(&format!("/{text}"))
                .filter(|problem| !(is_uri && *problem == PathProblem::EmptySegment))
        }
        Some(PathProblem::Empty) => None,
        problem => problem,
    };
    if let Some(problem) = problem {
        let finding = Finding::new(Code::AT_17).arg("value", text).arg("problem", problem.as_str());
        look.report_value(finding, attribute);
    }
}
