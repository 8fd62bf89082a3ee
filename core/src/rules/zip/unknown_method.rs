//! `unknown-method`: a member packed by a method few readers know.

use crate::rules::rule;

rule! {
    "unknown-method" reports [ZIP_11]
    checks []
    message "`{member}` is packed by method {method} ({name}), not stored or deflated"
    help "pack it with deflate, or store it"
    en {
        what "Members of a package are stored as they are or packed with deflate."
        why "Most readers of ZIP know these two methods only. This member was not unpacked and its digests were not \
            checked."
        mend "Set the method of your tool: `7z a -tzip -mm=Deflate`, `zip -Z deflate`."
    }
    ja {
        message "`{member}` の圧縮方式は {method}（{name}）で、無圧縮でも deflate でもない"
        help "deflate で圧縮するか、無圧縮で入れる"
        what "パッケージのメンバーは、無圧縮か deflate で入ります。"
        why "ほとんどのツールはこの二つしか扱えません。このメンバーは展開しておらず、ダイジェストも確かめていません。"
        mend "`7z a -tzip -mm=Deflate` や `zip -Z deflate` のように、ツールの圧縮方式を指定します。"
    }
    wrong ""
    right ""
}
