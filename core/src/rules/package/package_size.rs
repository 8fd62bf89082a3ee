//! `package-size`: a `length` or `type` that differs from the published file.

use alloc::string::ToString;

use crate::{rules::prelude::*, value::MediaType};

rule! {
    "package-size" reports [AT_11]
    checks [Check::WithPackages(&[Check::Md(Depends::State, check)])]
    message "`{attribute}` is {expected}, but `{name}` has {actual}"
    help "write the value of the published file"
    en {
        what "`length` is the number of bytes that the server sends for the resource, and `type` is their media type."
        why "A harvester that adds up the lengths before a download plans wrongly, and one that compares them \
            considers the package incomplete."
        fix "Take both values from the finished file, after writing the package and before writing the dump."
    }
    ja {
        message "`{attribute}` の値 {expected} が `{name}` の実際の値 {actual} と異なる"
        help "公開したファイルの値を書いてください"
        what "`length` はサーバがリソースとして送信するバイト数、`type` はそのメディアタイプです。"
        why "ダウンロード前に合計サイズを見積もるハーベスタは計画を誤り、サイズを比較するハーベスタはパッケージを\
            不完全と判断します。"
        fix "どちらの値も、パッケージを書き終えてからダンプを書くまでの間に、完成したファイルから取得します。"
    }
    wrong ""
    right ""
}

/// The media types used for ZIP archives.
const ZIP_TYPES: [&str; 3] = ["application/zip", "application/x-zip-compressed", "application/octet-stream"];

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    let Some(package) = cx.entry.filter(|_| cx.step == PathStep::Md(1)).and_then(|entry| cx.package(entry)) else {
        return;
    };
    let finding =
        |name: Name| Finding::new(Code::AT_11).arg("attribute", name.as_str()).arg("name", package.name.as_str());
    let length = md.attributes.length().and_then(|length| length.value());
    if let Some(length) = length.filter(|length| length.0 != package.length) {
        let finding = finding(Name::Length).arg("expected", length.0).arg("actual", package.length);
        cx.report_named(finding, md, Name::Length);
    }
    let essence = md.attributes.media_type().and_then(|field| field.value()).map(MediaType::essence);
    if let Some(essence) =
        essence.filter(|essence| package.is_zip && !ZIP_TYPES.iter().any(|own| essence.eq_ignore_ascii_case(own)))
    {
        let finding = finding(Name::Type).arg("expected", essence.to_string()).arg("actual", ZIP_TYPES[0]);
        cx.report_named(finding, md, Name::Type);
    }
}
