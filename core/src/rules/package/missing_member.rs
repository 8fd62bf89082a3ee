//! `missing-member`: a `path` that leads to no member.

use crate::{
    diagnostic::{Code, Finding},
    model::{Md, Name},
    rules::{Check, Found, Look, rule},
};

rule! {
    "missing-member" reports [PKG_03]
    checks [Check::Beyond(&[Check::Md(check)])]
    message "`{value}` is not in the package ({problem})"
    help "add the file to the archive under this name, or correct `path`"
    en {
        what "Every `path` of a manifest, less its leading slash, is the name of a member of the archive."
        why "A harvester cannot find the bitstream and has no copy of the resource. Names are compared as they are, \
            byte by byte: case, Unicode form and `%20` all count."
        mend "Write manifest and archive from one list of names. Where the name is nearly right, change one of the \
            two: `path` holds the name as it is in the archive, without percent-encoding."
    }
    ja {
        message "`{value}` がパッケージにない（{problem}）"
        help "この名前のファイルをアーカイブに加えるか、`path` を訂正する"
        what "マニフェストの `path` から先頭のスラッシュを除いたものは、アーカイブのメンバーの名前です。"
        why "ハーベスタはビットストリームを見つけられず、リソースを取得できません。名前はバイト単位でそのまま比較され\
            、大文字と小文字、Unicode の正規化形式、`%20` の有無も区別されます。"
        mend "マニフェストとアーカイブを同じ名前の一覧から作ります。名前がわずかに違う場合はどちらかを直します。\
            `path` には、パーセントエンコードせずアーカイブ内の名前をそのまま書きます。"
    }
    wrong ""
    right ""
}

fn check(look: &mut Look<'_>, md: &Md) {
    let (Some(Found::Absent(near)), Some(path)) =
        (look.found.clone(), md.attributes.path().and_then(|path| path.value()))
    else {
        return;
    };
    let finding = Finding::new(Code::PKG_03).arg("value", path.as_str());
    look.report_named(absent(finding, near), md, Name::Path);
}

/// Adds what the package has instead.
pub(in crate::rules::package) fn absent(
    finding: Finding,
    near: Option<(alloc::string::String, &'static str)>,
) -> Finding {
    match near {
        Some((name, how)) => finding.arg("near", name).arg("problem", how),
        None => finding.arg("problem", "nothing-near"),
    }
}
