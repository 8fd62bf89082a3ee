//! `digest-mismatch`: a bitstream whose digest differs from the manifest.

use crate::{rules::prelude::*, value::Algorithm, value::to_hex};

rule! {
    "digest-mismatch" reports [PKG_05]
    checks [Check::WithPackages(&[Check::Md(Depends::State, of_md), Check::Link(Depends::State, of_link)])]
    message "{algorithm} digest of `{value}` is {actual}, expected {expected}"
    help "compute the digest from the file in the package, or package the file from which it was computed"
    en {
        what "Each digest in `hash` is that of the bitstream as unpacked from the package."
        why "A harvester compares the two and rejects the file as corrupted or tampered with. The resource is missing \
            from its copy although it was delivered."
        fix "Compute the digest and build the package from the same bytes at the same time. Common causes: the file \
            changed in between, the digest is of another version or of the compressed file, or it has the name of \
            another algorithm."
    }
    ja {
        message "`{value}` の {algorithm} ダイジェストが不一致（実際は {actual}、記載は {expected}）"
        help "パッケージに入れたファイルからダイジェストを計算し直すか、ダイジェストの計算に使ったファイルをパッケージに入れてください"
        what "`hash` のダイジェストは、パッケージから展開したビットストリームのダイジェストです。"
        why "ハーベスタは両者を比較し、破損または改ざんされたファイルとして拒否します。配信されたにもかかわらず、\
            リソースがコピーから欠けることになります。"
        fix "ダイジェストの計算とパッケージの作成は、同じバイト列を使って同時に行います。計算後にファイルが\
            変更された、別の版や圧縮後のファイルから計算した、アルゴリズム名を取り違えた、といった原因がよくあります。"
    }
    wrong ""
    right ""
}

fn of_md(cx: &mut CheckContext<'_>, md: &Md) {
    check(cx, &md.attributes);
}

fn of_link(cx: &mut CheckContext<'_>, link: &Link) {
    check(cx, &link.attributes);
}

fn check(cx: &mut CheckContext<'_>, attributes: &Attributes) {
    let (Some(FoundMember::File { index, .. }), Some(members)) = (&cx.found, cx.members) else { return };
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
        report(cx, finding, attributes, &hash.algorithm);
    }
}

/// The computed and the listed digest.
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
    cx: &mut CheckContext<'_>,
    finding: Finding,
    attributes: &Attributes,
    algorithm: &Algorithm,
) {
    let Some(attribute) = attributes.get(Name::Hash) else { return };
    let text = attribute.text();
    let item = Hashes::items(&text).find(|item| item.algorithm().as_ref() == Some(algorithm));
    match item {
        Some(item) => cx.report_part(finding, attribute, item.range),
        None => cx.report_value(finding, attribute),
    }
}
