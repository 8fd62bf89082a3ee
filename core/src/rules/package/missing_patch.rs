//! `missing-patch`: a patch link whose file is not in the package.

use super::missing_member::absent;
use crate::rules::prelude::*;

rule! {
    "missing-patch" reports [PKG_11]
    checks [Check::WithPackages(&[Check::Link(Depends::State, check)])]
    message "the patch `{value}` is not in the package ({problem})"
    help "add the patch to the archive under this name, or remove the link"
    en {
        what "The file at the `path` of a patch link is in the package."
        why "A harvester that applies patches cannot apply the change and keeps the old state, or has to fetch the \
            whole resource."
        fix "Add the patch to the package under the name in `path`, without its leading slash."
    }
    ja {
        message "パッチ `{value}` がパッケージにない（{problem}）"
        help "この名前のパッチをアーカイブに追加するか、リンクを削除してください"
        what "パッチリンクの `path` が指すファイルは、パッケージに含まれます。"
        why "パッチを利用するハーベスタは変更を適用できず、古い状態のままになるか、リソース全体を\
            取得することになります。"
        fix "`path` から先頭のスラッシュを除いた名前で、パッチをパッケージに追加します。"
    }
    wrong ""
    right ""
}

fn check(cx: &mut CheckContext<'_>, link: &Link) {
    let Some(FoundMember::Absent(near)) = cx.found.clone() else { return };
    if let (Some(path), Some(attribute)) =
        (link.attributes.path().and_then(|path| path.value()), link.attributes.get(Name::Path))
    {
        let finding = Finding::new(Code::PKG_11).arg("value", path.as_str());
        cx.report_value(absent(finding, near), attribute);
    }
}
