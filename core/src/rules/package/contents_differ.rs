//! `contents-differ`: a copy of a manifest that says something else.

use crate::{
    diagnostic::{Code, Finding},
    model::{Link, Name},
    rules::{Check, Look, rule},
};

rule! {
    "contents-differ" reports [PKG_16]
    checks [Check::Beyond(&[Check::Link(check)])]
    message "the manifest at `{value}` is not the one in the package `{package}`"
    help "publish a copy of `manifest.xml` from the package"
    en {
        what "A manifest that a `contents` link offers says the same as the manifest inside the package."
        why "A harvester reads the copy to decide whether the package is worth its download. If the copy differs, it \
            skips what it needs or fetches what it does not find."
        mend "Write the copy together with the package. Spelling and white space may differ; entries, attributes and \
            their order may not."
    }
    ja {
        message "`{value}` のマニフェストは、パッケージ `{package}` の中のマニフェストと異なる"
        help "パッケージの `manifest.xml` の写しを公開する"
        what "`contents` リンクが示すマニフェストは、パッケージの中のマニフェストと同じ内容です。"
        why "ハーベスタは写しを読み、パッケージを取得するかどうかを決めます。内容が違えば、必要なものを飛ばしたり、な\
            いものを取りに行ったりします。"
        mend "写しはパッケージと同時に書き出します。空白や表記は違ってもかまいませんが、エントリと属性、その順序\
            は同じでなければなりません。"
    }
    wrong ""
    right ""
}

fn check(look: &mut Look<'_>, link: &Link) {
    let (Some(entry), Some(packages)) = (look.entry, look.packages) else { return };
    let is_contents = link.attributes.rel().and_then(|rel| rel.value()).is_some_and(|rel| rel.is("contents"));
    let Some(href) = link.attributes.href().and_then(|href| href.value()).filter(|_| is_contents) else { return };
    let (Some(package), Some(given)) = (look.package(entry), packages.manifest(href.as_str())) else { return };
    if package.canonical.is_none_or(|packaged| packaged == given) {
        return;
    }
    if let Some(attribute) = link.attributes.get(Name::Href) {
        let finding = Finding::new(Code::PKG_16).arg("value", href.as_str()).arg("package", package.name.as_str());
        look.report_value(finding, attribute);
    }
}
