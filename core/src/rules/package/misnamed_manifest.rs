//! `misnamed-manifest`: a manifest under another name.

use crate::rules::rule;

rule! {
    "misnamed-manifest" reports [PKG_02]
    checks in ["package/verify/verification/transitions.rs"]
    message "the manifest is named `{near}` instead of `manifest.xml`"
    help "rename the member to `manifest.xml`"
    en {
        what "The manifest of a package is the member named exactly `manifest.xml`."
        why "A harvester looks for exactly this name. With any other name it finds no manifest and rejects the whole \
            package."
        fix "Name the member `manifest.xml`, in lower case and without a folder or `./` before it."
    }
    ja {
        message "マニフェストの名前が `manifest.xml` ではなく `{near}`"
        help "メンバーの名前を `manifest.xml` に変更してください"
        what "パッケージのマニフェストは、`manifest.xml` という名前に完全に一致するメンバーです。"
        why "ハーベスタはこの名前を厳密に照合します。名前が異なるとマニフェストがないと判断し、パッケージ全体を\
            拒否します。"
        fix "メンバーの名前を、小文字で、前にフォルダや `./` を付けずに `manifest.xml` とします。"
    }
    wrong ""
    right ""
}
