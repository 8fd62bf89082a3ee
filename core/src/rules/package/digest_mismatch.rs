//! `digest-mismatch`: a bitstream that is not the one that was hashed.

use crate::{
    diagnostic::{Code, Finding},
    model::{Attributes, Link, Md, Name},
    rules::{Check, Found, Look, rule},
    value::{Algorithm, Hashes, to_hex},
};

rule! {
    "digest-mismatch" reports [PKG_05]
    checks [Check::Beyond(&[Check::Md(of_md), Check::Link(of_link)])]
    message "{algorithm} of `{value}` is {actual}, not {expected}"
    help "compute the digest of the file as it is packed, or pack the file that was hashed"
    en {
        what "Each digest in `hash` is that of the bitstream as it is unpacked from the package."
        why "A harvester compares the two and rejects the file as damaged or exchanged. The resource is then missing \
            from its copy although it was delivered."
        mend "Compute digest and package from the same bytes, at the same time. Common causes: the file changed \
            between the two, the digest is of another version or of a compressed form, or another algorithm's name \
            stands before it."
    }
    ja {
        message "`{value}` の {algorithm} は {actual} であり、{expected} ではない"
        help "パッケージに入れたファイルそのものからダイジェストを計算するか、計算したときのファイルを入れる"
        what "`hash` のダイジェストは、パッケージから展開したビットストリームのものです。"
        why "ハーベスタは両者を比べ、壊れているか差し替えられたと判断してファイルを拒否します。届いているのに、リソー\
            スが複製から欠けます。"
        mend "ダイジェストの計算とパッケージの作成を、同じバイト列から同時に行います。間にファイルが変わった、別\
            の版や圧縮後の形を計算した、アルゴリズム名を取り違えた、といった原因がよく見られます。"
    }
    wrong ""
    right ""
}

fn of_md(look: &mut Look<'_>, md: &Md) {
    check(look, &md.attributes);
}

fn of_link(look: &mut Look<'_>, link: &Link) {
    check(look, &link.attributes);
}

fn check(look: &mut Look<'_>, attributes: &Attributes) {
    let (Some(Found::File { index, .. }), Some(members)) = (&look.found, look.members) else { return };
    let (Some(hashes), Some(path)) = (attributes.hash(), attributes.path().and_then(|path| path.value())) else {
        return;
    };
    let index = *index;
    for hash in hashes.readable().iter() {
        let Some(actual) = members.digest(index, &hash.algorithm).filter(|actual| *actual != hash.digest.as_ref())
        else {
            continue;
        };
        let finding = mismatch(Code::PKG_05, &hash.algorithm, actual, &hash.digest).arg("value", path.as_str());
        report(look, finding, attributes, &hash.algorithm);
    }
}

/// What was found and what was listed.
pub(in crate::rules::package) fn mismatch(
    code: Code,
    algorithm: &Algorithm,
    actual: &[u8],
    expected: &[u8],
) -> Finding {
    Finding::new(code)
        .arg("algorithm", algorithm.as_str())
        .arg("actual", to_hex(actual))
        .arg("expected", to_hex(expected))
}

/// Points at the digest of this algorithm.
pub(in crate::rules::package) fn report(
    look: &mut Look<'_>,
    finding: Finding,
    attributes: &Attributes,
    algorithm: &Algorithm,
) {
    let Some(attribute) = attributes.get(Name::Hash) else { return };
    let text = attribute.text();
    let item = Hashes::items(&text).find(|item| item.algorithm().as_ref() == Some(algorithm));
    match item {
        Some(item) => look.report_part(finding, attribute, item.range),
        None => look.report_value(finding, attribute),
    }
}
