//! `no-manifest`: a package without a manifest at its top.

use crate::rules::rule;

rule! {
    "no-manifest" reports [PKG_01]
    checks []
    message "no `manifest.xml` at the top of the package ({problem})"
    help "write the manifest into the archive as `manifest.xml`, not inside any folder"
    en {
        what "Every package holds a manifest named `manifest.xml` at the top level of the archive."
        why "A harvester learns from the manifest which file stands for which URI. Without it the package is a heap \
            of files, and nothing in it can be used."
        mend "Add the manifest when the package is built. If the archive was made of a folder from outside, pack its \
            contents instead: `cd folder && zip -r ../part.zip .`."
    }
    ja {
        message "パッケージの最上位に `manifest.xml` がない（{problem}）"
        help "マニフェストを、フォルダに入れずに `manifest.xml` という名前でアーカイブに入れる"
        what "パッケージには必ず、アーカイブの最上位に `manifest.xml` という名前のマニフェストが入ります。"
        why "ハーベスタは、どのファイルがどの URI のものかをマニフェストから知ります。マニフェストがなければパッケージ\
            はただのファイルの集まりで、何も利用できません。"
        mend "パッケージの作成時にマニフェストを加えます。フォルダごと圧縮した場合は、`cd folder && zip -r \
            ../part.zip .` のように中身だけを圧縮し直します。"
    }
    wrong ""
    right ""
}
