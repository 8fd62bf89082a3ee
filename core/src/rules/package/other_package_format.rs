//! `other-package-format`: a package that is not a ZIP archive, and does not claim to be.

use crate::rules::rule;

rule! {
    "other-package-format" reports [PKG_17]
    checks []
    message "the package is {looks}; only ZIP packages can be verified"
    help "publish the package as a ZIP archive, or verify it by other means"
    en {
        what "The rules about manifests and members are written for ZIP packages; other formats are allowed among \
            communities that agree on them."
        why "Nothing of this package was checked, so the verdict is undetermined. Few harvesters know any format but \
            ZIP."
        mend "Pack the same files as ZIP; it can be unpacked everywhere and its members can be checked one by one."
    }
    ja {
        message "ZIP 以外の形式のパッケージは検証できない（推定される形式: {looks}）"
        help "ZIP アーカイブとして公開するか、別の方法で確かめる"
        what "マニフェストとメンバーについての規則は ZIP パッケージのためのものです。ほかの形式は、合意したコミュニテ\
            ィの中で認められています。"
        why "このパッケージは何も検査していないため、判定は「未確定」になります。ZIP 以外を扱えるハーベスタはほとんど\
            ありません。"
        mend "同じファイルを ZIP にまとめます。ZIP はどこでも展開でき、メンバーを一つずつ検証できます。"
    }
    wrong ""
    right ""
}
