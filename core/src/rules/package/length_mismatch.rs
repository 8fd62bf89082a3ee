//! `length-mismatch`: a bitstream of another size.

use crate::{
    diagnostic::{Code, Finding},
    model::{Attributes, Link, Md, Name},
    rules::{Check, Found, Look, rule},
};

rule! {
    "length-mismatch" reports [PKG_06]
    checks [Check::Beyond(&[Check::Md(of_md), Check::Link(of_link)])]
    message "`{value}` has {actual} bytes, not {expected}"
    help "write the size of the unpacked file into `length`"
    en {
        what "`length` is the size in bytes of the bitstream as it is unpacked from the package."
        why "A harvester takes the difference for a sign that the file is cut short or was exchanged, and rejects it."
        mend "Take `length` from the file that is packed. It is neither the compressed size nor the size of another \
            version."
    }
    ja {
        message "`{value}` は {actual} バイトであり、{expected} バイトではない"
        help "展開後のファイルのサイズを `length` に書く"
        what "`length` は、パッケージから展開したビットストリームのバイト数です。"
        why "ハーベスタはサイズの違いを、途中で切れたか差し替えられた印と見なし、ファイルを拒否します。"
        mend "パッケージに入れるファイルそのものから `length` を取ります。圧縮後のサイズや別の版のサイズではあり\
            ません。"
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
    let Some(Found::File { length: Some(actual), .. }) = look.found else { return };
    let Some(expected) = attributes.length().and_then(|length| length.value()).filter(|length| length.0 != actual)
    else {
        return;
    };
    if let (Some(path), Some(attribute)) =
        (attributes.path().and_then(|path| path.value()), attributes.get(Name::Length))
    {
        let finding =
            Finding::new(Code::PKG_06).arg("value", path.as_str()).arg("actual", actual).arg("expected", expected.0);
        look.report_value(finding, attribute);
    }
}
