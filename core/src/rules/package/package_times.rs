//! `package-times`: a dump and a manifest that tell different times.

use crate::{
    diagnostic::Code,
    model::{Attributes, Field, Kind, Md, Name},
    rules::{Check, Look, Step, rule, timed},
    value::Datetime,
};

rule! {
    "package-times" reports [PKG_15]
    checks [Check::Beyond(&[Check::Md(check)])]
    message "`{attribute}` is {value}, but the manifest of `{package}` says {actual}"
    help "write the times of the manifest into the dump"
    en {
        what "`at` and `completed`, or `from` and `until`, of an entry in a dump are those of the manifest in its \
            package."
        why "A harvester chooses packages by the times in the dump and counts on them afterwards. If the package is \
            of another time, changes are lost or applied twice."
        mend "Write both from one value when the package is built, and do not exchange a package without updating the \
            dump."
    }
    ja {
        message "`{attribute}` は {value} だが、`{package}` のマニフェストでは {actual} である"
        help "マニフェストの日時をダンプに書く"
        what "ダンプのエントリの `at` と `completed`、または `from` と `until` は、パッケージ内のマニフェストの値と同\
            じです。"
        why "ハーベスタはダンプの日時を見てパッケージを選び、その日時をもとに次の処理を決めます。日時が違えば、変更が\
            失われたり二度適用されたりします。"
        mend "パッケージの作成時に同じ値から両方を書きます。パッケージだけを差し替えてはいけません。"
    }
    wrong ""
    right ""
}

type Read = fn(&Attributes) -> Option<&Field<Datetime>>;

fn check(look: &mut Look<'_>, md: &Md) {
    let times: [(Name, Read); 2] = match look.kind() {
        Kind::ResourceDump => [(Name::At, Attributes::at), (Name::Completed, Attributes::completed)],
        Kind::ChangeDump => [(Name::From, Attributes::from), (Name::Until, Attributes::until)],
        _ => return,
    };
    let Some(package) = look.entry.filter(|_| look.step == Step::Md(1)).and_then(|entry| look.package(entry)) else {
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
            look.report_named(finding, md, name);
        }
    }
}
