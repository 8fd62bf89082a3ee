//! `length-mismatch`: a bitstream whose size differs from the manifest.

use crate::rules::prelude::*;

rule! {
    "length-mismatch" reports [PKG_06]
    checks [Check::WithPackages(&[Check::Md(Depends::State, of_md), Check::Link(Depends::State, of_link)])]
    message "`{value}` has {actual} bytes, expected {expected}"
    help "write the size of the uncompressed file into `length`"
    en {
        what "`length` is the size in bytes of the bitstream as unpacked from the package."
        why "A harvester takes the difference as a sign of truncation or tampering and rejects the file."
        fix "Take `length` from the file that is packaged. It is neither the compressed size nor the size of another \
            version."
    }
    ja {
        message "`{value}` のサイズが不一致（実際は {actual} バイト、記載は {expected} バイト）"
        help "圧縮前のファイルのサイズを `length` に書いてください"
        what "`length` は、パッケージから展開したビットストリームのバイト数です。"
        why "サイズが異なると、ハーベスタはファイルが途中で切れているか改ざんされていると判断し、拒否します。"
        fix "`length` は、パッケージに入れるファイルから取得します。圧縮後のサイズや別の版のサイズではありません。"
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
    let Some(FoundMember::File { length: Some(actual), .. }) = cx.found else { return };
    let Some(expected) = attributes.length().and_then(|length| length.value()).filter(|length| length.0 != actual)
    else {
        return;
    };
    if let (Some(path), Some(attribute)) =
        (attributes.path().and_then(|path| path.value()), attributes.get(Name::Length))
    {
        let finding =
            Finding::new(Code::PKG_06).arg("value", path.as_str()).arg("actual", actual).arg("expected", expected.0);
        cx.report_value(finding, attribute);
    }
}
