//! `other-package-format`: a package with a declared format other than ZIP.

use crate::rules::rule;

rule! {
    "other-package-format" reports [PKG_17]
    checks in ["package/verify/verification/transitions.rs", "read/item_reader.rs", "validate/document.rs"]
    message "the package is {looks}; only ZIP packages can be verified"
    help "publish the package as a ZIP archive, or verify it by other means"
    en {
        what "The rules for manifests and members apply to ZIP packages. Communities may agree on other formats."
        why "Nothing in this package was checked, so the verdict is undetermined. Few harvesters support a format \
            other than ZIP."
        fix "Package the same files as ZIP, which can be unpacked everywhere and verified member by member."
    }
    ja {
        message "検証できるのは ZIP パッケージだけ（このパッケージの形式: {looks}）"
        help "パッケージを ZIP アーカイブとして公開するか、別の手段で検証してください"
        what "マニフェストとメンバーに関するルールは、ZIP パッケージを対象としています。ほかの形式は、コミュニティの\
            合意のもとで使用できます。"
        why "このパッケージの内容は検証していないため、判定は「判定保留」になります。ZIP 以外の形式に対応した\
            ハーベスタはほとんどありません。"
        fix "同じファイルを ZIP でパッケージ化します。ZIP はどの環境でも展開でき、メンバーごとに検証できます。"
    }
    wrong ""
    right ""
}
