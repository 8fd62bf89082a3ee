//! `path-not-rooted`: a `path` that does not start at the root of the package.

use crate::{rules::prelude::*, value::PathProblem};

rule! {
    "path-not-rooted" reports [AT_16]
    checks [Check::Named(Depends::Usual, &[Name::Path], check)]
    message "`path` is `{value}`, which does not start with `/`"
    help "write the path of the file from the root of the package, such as `/resources/17.pdf`"
    en {
        what "`path` starts with a slash and is the location of the bitstream relative to the root of the package."
        why "A harvester appends `path` to the folder into which it has unpacked the package. Without the leading \
            slash, some implementations do not find the file. A path of the machine that built the package does not \
            work anywhere else."
        fix "Take the member name from the ZIP file and put `/` before it. Do not write the path of the file on your \
            disk."
    }
    ja {
        message "`path` の値 `{value}` が `/` で始まっていない"
        help "`/resources/17.pdf` のように、パッケージのルートからのパスを書いてください"
        what "`path` はスラッシュで始まり、パッケージのルートから見たビットストリームの場所を示します。"
        why "ハーベスタは、パッケージを展開したフォルダに `path` をつないでファイルを探します。先頭に\
            スラッシュがないと、ファイルを見つけられない実装があります。パッケージを作成したコンピュータ上のパスは、\
            ほかの環境では使えません。"
        fix "ZIP ファイル内のメンバー名の前に `/` を付けます。ディスク上のファイルパスは書きません。"
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

fn check(cx: &mut CheckContext<'_>, attribute: &Attribute) {
    let (AttributeValue::Path(field), Some(_)) = (&attribute.value, cx.entry) else { return };
    let Some(text) = field.loose() else { return };
    if !cx.profile.is_manifest() {
        return;
    }
    if let Some(problem @ (PathProblem::NotRooted | PathProblem::Empty)) = BitstreamPath::problem(text) {
        let finding = Finding::new(Code::AT_16).arg("value", text).arg("problem", problem.as_str());
        cx.report_value(finding, attribute);
    }
}
