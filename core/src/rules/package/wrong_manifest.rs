//! `wrong-manifest`: a manifest of the wrong kind.

use crate::rules::prelude::*;

rule! {
    "wrong-manifest" reports [PKG_07]
    checks [Check::WithPackages(&[Check::Head(in_the_package), Check::Entry(Depends::State, in_the_dump)])]
    message "the package contains a {kind}, expected a {expectedKind}"
    help "add the manifest of this dump, with the matching `capability`"
    en {
        what "A package of a Resource Dump contains a Resource Dump Manifest, a package of a Change Dump contains a \
            Change Dump Manifest."
        why "A harvester reads the one as a set of resources and the other as a sequence of changes. With the wrong \
            kind, it applies no deletions, or takes old states for the current one."
        fix "Set the `capability` of `manifest.xml` to `resourcedump-manifest` or `changedump-manifest`, according to \
            the dump that lists the package, and use the attributes of that kind."
    }
    ja {
        message "パッケージのマニフェストが{expectedKind}ではなく{kind}"
        help "このダンプに対応する `capability` のマニフェストを入れてください"
        what "リソースダンプのパッケージにはリソースダンプマニフェストが、変更ダンプのパッケージには変更\
            ダンプマニフェストが含まれます。"
        why "ハーベスタは、前者をリソースの集合、後者を一連の変更として処理します。種類が異なると、削除が\
            適用されなかったり、古い状態が現在の状態として扱われたりします。"
        fix "`manifest.xml` の `capability` を、パッケージを列挙しているダンプに合わせて `resourcedump-manifest` \
            または `changedump-manifest` とし、その種類に応じた属性を使います。"
    }
    wrong ""
    right ""
}

/// A package whose manifest is a document of another kind.
fn in_the_package(cx: &mut CheckContext<'_>, md: &Md) {
    let kind = cx.kind();
    let is_checked = cx.members.is_some() && !kind.is_plain();
    if !is_checked || cx.profile.is_manifest() {
        return;
    }
    // What covers an interval belongs to a Change Dump.
    let expected = if cx.profile.can_close { Kind::ChangeDumpManifest } else { Kind::ResourceDumpManifest };
    let finding = Finding::new(Code::PKG_07).arg("kind", kind).arg("expectedKind", expected);
    cx.report_named(finding, md, Name::Capability);
}

/// A dump that lists a package with the manifest of the other kind of dump, or one of unknown kind.
fn in_the_dump(cx: &mut CheckContext<'_>, entry: &Entry) {
    let (Some(expected), Some(package)) = (cx.profile.manifest, cx.package(entry)) else { return };
    let kind = package.manifest;
    // In a package, what is no manifest is reported there, and what states no kind has other findings.
    let is_unknown = kind == Kind::Unknown && package.head.is_some();
    if kind == expected || !is_unknown && !KindProfile::of(kind).is_manifest() {
        return;
    }
    if let Some(loc) = entry.loc.first() {
        let finding = Finding::new(Code::PKG_07)
            .arg("kind", kind)
            .arg("expectedKind", expected)
            .arg("package", package.name.as_str());
        cx.report_child(finding, "loc", None, loc.field.span());
    }
}
