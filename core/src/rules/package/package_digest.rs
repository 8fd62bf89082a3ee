//! `package-digest`: a package whose digest differs from the dump.

use super::digest_mismatch::{mismatch, report};
use crate::rules::prelude::*;

rule! {
    "package-digest" reports [PKG_14]
    checks [Check::WithPackages(&[Check::Md(Depends::State, check)])]
    message "{algorithm} digest of the package `{package}` is {actual}, expected {expected}"
    help "write the digest of the published file into the dump, or publish the file from which it was computed"
    en {
        what "`hash` of an entry in a dump is the digest of the package file."
        why "A harvester that verifies its downloads rejects the package and every bitstream in it."
        fix "Compute the digest after the package is complete, and write the dump last."
    }
    ja {
        message "パッケージ `{package}` の {algorithm} ダイジェストが不一致（実際は {actual}、記載は {expected}）"
        help "公開したファイルのダイジェストをダンプに書くか、ダイジェストの計算に使ったファイルを公開してください"
        what "ダンプのエントリの `hash` は、パッケージのファイル自体のダイジェストです。"
        why "ダウンロードを検証するハーベスタは、パッケージと、その中のすべてのビットストリームを拒否します。"
        fix "ダイジェストはパッケージが完成してから計算し、ダンプは最後に書き出します。"
    }
    wrong ""
    right ""
}

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    let Some(package) = cx.entry.filter(|_| cx.step == PathStep::Md(1)).and_then(|entry| cx.package(entry)) else {
        return;
    };
    let Some(hashes) = md.attributes.hash() else { return };
    for hash in hashes.readable().iter() {
        let actual = package.digests.iter().find(|(algorithm, _)| *algorithm == hash.algorithm);
        let Some((_, actual)) = actual.filter(|(_, actual)| actual.as_slice() != hash.digest.as_ref()) else {
            continue;
        };
        let finding =
            mismatch(Code::PKG_14, &hash.algorithm, actual, &hash.digest).arg("package", package.name.as_str());
        report(cx, finding, &md.attributes, &hash.algorithm);
    }
}
