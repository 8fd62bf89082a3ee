//! `path-of-folder`: a `path` that leads to a folder.

use crate::{
    diagnostic::{Code, Finding},
    model::{Attributes, Link, Md, Name},
    rules::{Check, Found, Look, rule},
};

rule! {
    "path-of-folder" reports [PKG_09]
    checks [Check::Beyond(&[Check::Md(of_md), Check::Link(of_link)])]
    message "`{value}` is a folder in the package, not a bitstream"
    help "name the file inside the folder"
    en {
        what "`path` names a file of the package, not a directory."
        why "A harvester has nothing to store for the resource: a folder has no bytes, no length and no digest."
        mend "Give the whole name of the file. If the resource is the folder's page, pack that page as a file \
            (`/collection/index.html`) and name it."
    }
    ja {
        message "`{value}` はパッケージ内のフォルダで、ビットストリームではない"
        help "フォルダの中のファイルを指す"
        what "`path` は、フォルダではなくパッケージ内のファイルを指します。"
        why "フォルダにはバイト列も長さもダイジェストもないため、ハーベスタはリソースとして保存するものがありません。"
        mend "ファイルの名前を最後まで書きます。リソースがフォルダのページである場合は、\
            `/collection/index.html` のようにファイルとして入れ、それを指します。"
    }
    wrong ""
    right ""
}

fn of_md(look: &mut Look<'_>, md: &Md) {
    check(look, &md.attributes);
}

fn of_link(look: &mut Look<'_>, link: &Link) {
    check(look, &link.attributes);
}

fn check(look: &mut Look<'_>, attributes: &Attributes) {
    if look.found != Some(Found::Directory) {
        return;
    }
    if let (Some(path), Some(attribute)) = (attributes.path().and_then(|path| path.value()), attributes.get(Name::Path))
    {
        look.report_value(Finding::new(Code::PKG_09).arg("value", path.as_str()), attribute);
    }
}
