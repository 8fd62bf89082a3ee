//! `no-manifest`: a package without a manifest at its top level.

use crate::rules::rule;

rule! {
    "no-manifest" reports [PKG_01]
    checks in ["package/verify/verification/transitions.rs"]
    message "no `manifest.xml` at the top level of the package ({problem})"
    help "add the manifest to the archive as `manifest.xml`, not inside a folder"
    en {
        what "Every package contains a manifest named `manifest.xml` at the top level of the archive."
        why "The manifest maps the files to URIs. Without it the package is just a collection of files that a \
            harvester cannot use."
        fix "Add the manifest when you build the package. If the archive was made from the outside of a folder, \
            archive the content of the folder instead: `cd folder && zip -r ../part.zip .`."
    }
    ja {
        message "パッケージの最上位に `manifest.xml` がない（{problem}）"
        help "マニフェストを、フォルダに入れずに `manifest.xml` という名前でアーカイブに追加してください"
        what "パッケージには、アーカイブの最上位に `manifest.xml` という名前のマニフェストが必要です。"
        why "マニフェストは、ファイルと URI の対応を示します。マニフェストがなければパッケージは単なるファイルの\
            集まりであり、ハーベスタは利用できません。"
        fix "パッケージの作成時にマニフェストを追加します。フォルダごと圧縮していた場合は、\
            `cd folder && zip -r ../part.zip .` のように、フォルダの中身を圧縮します。"
    }
    wrong ""
    right ""
}
