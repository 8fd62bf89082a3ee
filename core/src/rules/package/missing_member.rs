//! `missing-member`: a `path` without a member of that name.

use crate::rules::prelude::*;

rule! {
    "missing-member" reports [PKG_03]
    checks [Check::WithPackages(&[Check::Md(Depends::State, check)])]
    message "`{value}` is not in the package ({problem})"
    help "add the file to the archive under this name, or correct `path`"
    en {
        what "Every `path` in a manifest, without its leading slash, is the name of a member of the archive."
        why "A harvester cannot find the bitstream and has no copy of the resource. Names are compared byte by byte: \
            letter case, Unicode normalization and percent-encoding all matter."
        fix "Generate manifest and archive from one list of names. If the names differ only slightly, change one of \
            them: `path` contains the name as in the archive, without percent-encoding."
    }
    ja {
        message "`{value}` がパッケージにない（{problem}）"
        help "この名前のファイルをアーカイブに追加するか、`path` を修正してください"
        what "マニフェストの `path` から先頭のスラッシュを除いたものは、すべてアーカイブのメンバー名です。"
        why "ハーベスタはビットストリームを見つけられず、リソースを取得できません。名前はバイト単位で比較されるため、\
            大文字と小文字、Unicode 正規化形式、パーセントエンコーディングの違いも区別されます。"
        fix "マニフェストとアーカイブを同じ名前の一覧から生成します。名前がわずかに異なる場合は、どちらかを\
            修正します。`path` には、パーセントエンコードせずアーカイブ内の名前をそのまま書きます。"
    }
    wrong ""
    right ""
}

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    let (Some(FoundMember::Absent(near)), Some(path)) =
        (cx.found.clone(), md.attributes.path().and_then(|path| path.value()))
    else {
        return;
    };
    let finding = Finding::new(Code::PKG_03).arg("value", path.as_str());
    cx.report_named(absent(finding, near), md, Name::Path);
}

/// Adds the most similar member as an argument.
pub(in crate::rules::package) fn absent(
    finding: Finding,
    near: Option<(alloc::string::String, &'static str)>,
) -> Finding {
    match near {
        Some((name, how)) => finding.arg("near", name).arg("problem", how),
        None => finding.arg("problem", "nothing-near"),
    }
}
