//! `contents-differ`: a published copy of a manifest that differs from the manifest in the package.

use crate::rules::prelude::*;

rule! {
    "contents-differ" reports [PKG_16]
    checks [Check::WithPackages(&[Check::Link(Depends::State, check)])]
    message "the manifest at `{value}` differs from the manifest in the package `{package}`"
    help "publish a copy of the `manifest.xml` in the package"
    en {
        what "The manifest at a `contents` link has the same content as the manifest inside the package."
        why "A harvester reads the copy to decide whether to download the package. If the copy differs, it skips \
            packages that it needs or downloads packages in vain."
        fix "Publish the copy together with the package. White space and notation may differ; entries, attributes and \
            their order must not."
    }
    ja {
        message "`{value}` のマニフェストがパッケージ `{package}` 内のマニフェストと異なる"
        help "パッケージ内の `manifest.xml` のコピーを公開してください"
        what "`contents` リンクが指すマニフェストの内容は、パッケージ内のマニフェストと同じです。"
        why "ハーベスタはコピーを読んで、パッケージを取得するかどうかを判断します。内容が異なると、必要なパッケージを\
            読み飛ばしたり、不要なパッケージを取得したりします。"
        fix "コピーはパッケージと同時に公開します。空白や表記は異なってもかまいませんが、エントリと属性、およびその\
            順序は同じでなければなりません。"
    }
    wrong ""
    right ""
}

fn check(cx: &mut CheckContext<'_>, link: &Link) {
    let (Some(entry), Some(packages)) = (cx.entry, cx.packages) else { return };
    let is_contents = link.attributes.rel().and_then(|rel| rel.value()).is_some_and(|rel| rel.is("contents"));
    let Some(href) = link.attributes.href().and_then(|href| href.value()).filter(|_| is_contents) else { return };
    let (Some(package), Some(given)) = (cx.package(entry), packages.manifest(href.as_str())) else { return };
    if package.canonical.is_none_or(|packaged| packaged == given) {
        return;
    }
    if let Some(attribute) = link.attributes.get(Name::Href) {
        let finding = Finding::new(Code::PKG_16).arg("value", href.as_str()).arg("package", package.name.as_str());
        cx.report_value(finding, attribute);
    }
}
