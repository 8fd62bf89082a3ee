//! `path-of-folder`: a `path` that refers to a folder.

use crate::rules::prelude::*;

rule! {
    "path-of-folder" reports [PKG_09]
    checks [Check::WithPackages(&[Check::Md(Depends::State, of_md), Check::Link(Depends::State, of_link)])]
    message "`{value}` is a folder in the package, not a bitstream"
    help "use the path of the file inside the folder"
    en {
        what "`path` refers to a file in the package, not to a folder."
        why "A folder has no bytes, no length and no digest, so a harvester has nothing to store for the resource."
        fix "Write the full path of the file. If the resource is the web page of the folder, package that page as a \
            file (`/collection/index.html`) and use its path."
    }
    ja {
        message "`{value}` がビットストリームではなくパッケージ内のフォルダ"
        help "フォルダ内のファイルのパスを書いてください"
        what "`path` は、フォルダではなく、パッケージ内のファイルを指します。"
        why "フォルダにはバイト列も長さもダイジェストもないため、ハーベスタがリソースとして保存できるものがありません。"
        fix "ファイルの完全なパスを書きます。リソースがフォルダの Web ページである場合は、そのページを \
            `/collection/index.html` のようにファイルとしてパッケージに入れ、そのパスを書きます。"
    }
    wrong ""
    right ""
}

fn of_md(cx: &mut CheckContext<'_>, md: &Md) {
    check(cx, &md.attributes);
}

fn of_link(cx: &mut CheckContext<'_>, link: &Link) {
    check(cx, &link.attributes);
}

fn check(cx: &mut CheckContext<'_>, attributes: &Attributes) {
    if cx.found != Some(FoundMember::Directory) {
        return;
    }
    if let (Some(path), Some(attribute)) = (attributes.path().and_then(|path| path.value()), attributes.get(Name::Path))
    {
        cx.report_value(Finding::new(Code::PKG_09).arg("value", path.as_str()), attribute);
    }
}
