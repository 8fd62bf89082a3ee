//! `path-not-rooted`: a `path` that does not begin at the root of the package.

use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Attribute, Kind, Name, Value},
    rules::{Check, Look, rule},
    value::{BitstreamPath, PathProblem},
};

rule! {
    "path-not-rooted" reports [AT_16]
    checks [Check::Named(&[Name::Path], check)]
    message "`path` is `{value}`, which does not start with `/`"
    help "write the place of the file in the package from its root, such as `/resources/17.pdf`"
    en {
        what "`path` starts with a slash and names the place of the bitstream as seen from the root of the package."
        why "A harvester joins `path` to the folder it unpacked into. Without the leading slash some fail to find the \
            file, and a path of the machine that built the package finds nothing anywhere."
        mend "Take the name of the member in the ZIP file and put `/` before it. Do not write the path the file had on \
            your disk."
    }
    ja {
        message "`path` の `{value}` が `/` で始まっていない"
        help "`/resources/17.pdf` のように、パッケージのルートからの位置を書く"
        what "`path` はスラッシュで始め、パッケージのルートから見たビットストリームの位置を書きます。"
        why "ハーベスタは展開先のフォルダに `path` をつないでファイルを探します。先頭のスラッシュがないと見つけられない\
            実装があり、パッケージを作ったコンピュータ上のパスではどこにも見つかりません。"
        mend "ZIP ファイル内のメンバー名の前に `/` を付けます。手元のディスク上のパスは書きません。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcedump-manifest" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17.pdf</loc>
    <rs:md length="8876" type="application/pdf" path="resources/17.pdf"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcedump-manifest" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17.pdf</loc>
    <rs:md length="8876" type="application/pdf" path="/resources/17.pdf"/>
  </url>
</urlset>"#
}

fn check(look: &mut Look<'_>, attribute: &Attribute) {
    let (Value::Path(field), Some(_)) = (&attribute.value, look.entry) else { return };
    let Some(text) = field.loose() else { return };
    if !matches!(look.kind(), Kind::ResourceDumpManifest | Kind::ChangeDumpManifest) {
        return;
    }
    if let Some(problem @ (PathProblem::NotRooted | PathProblem::Empty)) = BitstreamPath::problem(text) {
        let finding = Finding::new(Code::AT_16).arg("value", text).arg("problem", problem.as_str());
        look.report_value(finding, attribute);
    }
}
