//! `misnamed-manifest`: a manifest under another name.

use crate::rules::rule;

rule! {
    "misnamed-manifest" reports [PKG_02]
    checks []
    message "the manifest is called `{near}`, not `manifest.xml`"
    help "rename the member to `manifest.xml`"
    en {
        what "The manifest of a package is the member named exactly `manifest.xml`."
        why "A harvester looks for that name, letter by letter. With any other name it finds no manifest and gives up \
            the whole package."
        mend "Give the member the name `manifest.xml`, in lower case and without a folder or `./` before it."
    }
    ja {
        message "マニフェストの名前が `manifest.xml` ではなく `{near}` になっている"
        help "メンバーの名前を `manifest.xml` に改める"
        what "マニフェストは、`manifest.xml` という名前と完全に一致するメンバーです。"
        why "ハーベスタはこの名前を一字一句そのまま探します。名前が違えばマニフェストなしと判断し、パッケージ全体をあ\
            きらめます。"
        mend "メンバーの名前を、小文字で、前にフォルダや `./` を付けずに `manifest.xml` とします。"
    }
    wrong ""
    right ""
}
