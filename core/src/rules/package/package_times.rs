//! `package-times`: a dump and a manifest with different times.

use crate::rules::prelude::*;

rule! {
    "package-times" reports [PKG_15]
    checks [Check::WithPackages(&[Check::Md(Depends::State, check)])]
    message "`{attribute}` is {value}, but the manifest of `{package}` has {actual}"
    help "copy the times of the manifest into the dump"
    en {
        what "`at` and `completed`, or `from` and `until`, of an entry in a dump are those of the manifest in its \
            package."
        why "A harvester selects packages by the times in the dump and relies on them afterwards. If the package \
            covers a different time, changes are lost or applied twice."
        fix "Write both from the same value when you build the package, and never replace a package without updating \
            the dump."
    }
    ja {
        message "`{attribute}` の値 {value} が `{package}` のマニフェストの値 {actual} と異なる"
        help "マニフェストの日時をダンプにコピーしてください"
        what "ダンプのエントリの `at` と `completed`、または `from` と `until` は、パッケージ内のマニフェストの値と\
            同じです。"
        why "ハーベスタはダンプの日時をもとにパッケージを選択し、以後もその日時を前提に処理します。パッケージの日時が\
            異なると、変更が失われたり、二重に適用されたりします。"
        fix "パッケージの作成時に、同じ値から両方に書き込みます。ダンプを更新せずにパッケージだけを差し\
            替えないようにします。"
    }
    wrong ""
    right ""
}

type Read = fn(&Attributes) -> Option<&Field<Datetime>>;

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    if !cx.profile.is_dump() {
        return;
    }
    let times: [(Name, Read); 2] = if cx.profile.can_close {
        [(Name::From, Attributes::from), (Name::Until, Attributes::until)]
    } else {
        [(Name::At, Attributes::at), (Name::Completed, Attributes::completed)]
    };
    let Some(package) = cx.entry.filter(|_| cx.step == PathStep::Md(1)).and_then(|entry| cx.package(entry)) else {
        return;
    };
    let Some(head) = &package.head else { return };
    for (name, read) in times {
        let exact = |attributes| read(attributes).and_then(|field| field.exact().cloned());
        let (Some(own), Some(other)) = (exact(&md.attributes), exact(&head.attributes)) else { continue };
        if own.start() != other.start() {
            let finding = timed(Code::PKG_15, !own.is_partial() && !other.is_partial())
                .arg("attribute", name.as_str())
                .arg("value", alloc::format!("{own}"))
                .arg("package", package.name.as_str())
                .arg("actual", alloc::format!("{other}"));
            cx.report_named(finding, md, name);
        }
    }
}
