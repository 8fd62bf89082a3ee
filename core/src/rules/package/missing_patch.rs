//! `missing-patch`: a patch that is not in the package.

use super::missing_member::absent;
use crate::{
    diagnostic::{Code, Finding},
    model::{Link, Name},
    rules::{Check, Found, Look, rule},
};

rule! {
    "missing-patch" reports [PKG_11]
    checks [Check::Beyond(&[Check::Link(check)])]
    message "the patch `{value}` is not in the package ({problem})"
    help "add the patch to the archive under this name, or remove the link"
    en {
        what "The description of a change that the `path` of a patch link names is in the package."
        why "A harvester that works with patches cannot apply the change and keeps the old state, or has to fetch the \
            whole resource."
        mend "Pack the patch under the name in `path`, less its leading slash."
    }
    ja {
        message "パッチ `{value}` がパッケージにない（{problem}）"
        help "この名前のパッチをアーカイブに加えるか、リンクを削除する"
        what "パッチリンクの `path` が指す変更記述は、パッケージに入っています。"
        why "パッチを利用するハーベスタは変更を適用できず、古い状態のままになるか、リソース全体を取り直すことになりま\
            す。"
        mend "`path` から先頭のスラッシュを除いた名前で、パッチをパッケージに入れます。"
    }
    wrong ""
    right ""
}

fn check(look: &mut Look<'_>, link: &Link) {
    let Some(Found::Absent(near)) = look.found.clone() else { return };
    if let (Some(path), Some(attribute)) =
        (link.attributes.path().and_then(|path| path.value()), link.attributes.get(Name::Path))
    {
        let finding = Finding::new(Code::PKG_11).arg("value", path.as_str());
        look.report_value(absent(finding, near), attribute);
    }
}
