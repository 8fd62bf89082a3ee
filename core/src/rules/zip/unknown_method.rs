//! `unknown-method`: a compression method that few readers support.

use crate::rules::rule;

rule! {
    "unknown-method" reports [ZIP_11]
    checks in ["package/directory.rs"]
    message "unsupported compression method {method} ({name}) of `{member}`"
    help "compress the member with deflate, or store it uncompressed"
    en {
        what "The members of a package are stored uncompressed or compressed with deflate."
        why "Most ZIP readers support only these two methods. This member was not unpacked, and its digests were not \
            verified."
        fix "Set the compression method of your tool: `7z a -tzip -mm=Deflate`, `zip -Z deflate`."
    }
    ja {
        message "`{member}` の圧縮方式 {method}（{name}）は未対応"
        help "Deflate で圧縮するか、無圧縮で格納してください"
        what "パッケージのメンバーは、無圧縮または Deflate で格納します。"
        why "ほとんどの ZIP ツールは、この 2 つの方式にしか対応していません。このメンバーは展開しておらず、\
            ダイジェストも検証していません。"
        fix "`7z a -tzip -mm=Deflate` や `zip -Z deflate` のように、ツールの圧縮方式を指定します。"
    }
    wrong ""
    right ""
}
