//! `wrong-manifest`: a manifest of the wrong kind.

use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Entry, Kind, Md, Name},
    rules::{Check, Look, rule},
};

rule! {
    "wrong-manifest" reports [PKG_07]
    checks [Check::Beyond(&[Check::Head(in_the_package), Check::Entry(in_the_dump)])]
    message "the package holds a {kind}; a {expectedKind} is needed here"
    help "pack the manifest of this dump, with its `capability`"
    en {
        what "A package of a Resource Dump holds a Resource Dump Manifest, one of a Change Dump holds a Change Dump \
            Manifest."
        why "A harvester reads one as a set of resources and the other as a series of changes. With the wrong kind it \
            deletes nothing, or takes old states for the current one."
        mend "Set `capability` of `manifest.xml` to `resourcedump-manifest` or `changedump-manifest`, whichever fits \
            the dump that lists the package, and give it the attributes of that kind."
    }
    ja {
        message "パッケージの中身は{kind}だが、ここでは{expectedKind}が必要である"
        help "このダンプに合う `capability` のマニフェストを入れる"
        what "リソースダンプのパッケージにはリソースダンプマニフェスト、変更ダンプのパッケージには変更ダンプマニフェス\
            トが入ります。"
        why "ハーベスタは、前者をリソースの集まり、後者を変更の並びとして読みます。種類が違えば、削除が反映されなかっ\
            たり、古い状態を現在の状態と取り違えたりします。"
        mend "`manifest.xml` の `capability` を、パッケージを載せているダンプに合わせて `resourcedump-manifest` または \
            `changedump-manifest` とし、その種類の属性を付けます。"
    }
    wrong ""
    right ""
}

/// A package whose manifest is a document of another kind.
fn in_the_package(look: &mut Look<'_>, md: &Md) {
    let kind = look.kind();
    let judged = look.members.is_some() && !matches!(kind, Kind::Unknown | Kind::Sitemap);
    if !judged || is_manifest(kind) {
        return;
    }
    let changes = matches!(kind, Kind::ChangeList | Kind::ChangeListIndex | Kind::ChangeDump | Kind::ChangeDumpIndex);
    let expected = if changes { Kind::ChangeDumpManifest } else { Kind::ResourceDumpManifest };
    let finding = Finding::new(Code::PKG_07).arg("kind", kind).arg("expectedKind", expected);
    look.report_named(finding, md, Name::Capability);
}

/// A dump that leads to a package with the manifest of the other dump.
fn in_the_dump(look: &mut Look<'_>, entry: &Entry) {
    let expected = match look.kind() {
        Kind::ResourceDump => Kind::ResourceDumpManifest,
        Kind::ChangeDump => Kind::ChangeDumpManifest,
        _ => return,
    };
    let Some(package) = look.package(entry) else { return };
    let kind = package.manifest;
    if !is_manifest(kind) || kind == expected {
        return;
    }
    if let Some(loc) = entry.loc.first() {
        let finding = Finding::new(Code::PKG_07)
            .arg("kind", kind)
            .arg("expectedKind", expected)
            .arg("package", package.name.as_str());
        look.report_child(finding, "loc", None, loc.field.span());
    }
}

fn is_manifest(kind: Kind) -> bool {
    matches!(kind, Kind::ResourceDumpManifest | Kind::ChangeDumpManifest)
}
