//! `unlisted-member`: a member that is not in the manifest.

use crate::rules::rule;

rule! {
    "unlisted-member" reports [PKG_04]
    checks in ["package/verify/verification/transitions.rs"]
    message "`{member}` is in the package, but not in its manifest"
    help "list the file with its URI and `path`, or remove it from the package"
    en {
        what "Every file of a package except the manifest is described by an entry of the manifest or by the `path` of \
            a patch link."
        why "A harvester does not know which resource the file belongs to and discards it. If it is a resource, it is \
            missing from the copy."
        fix "Add an entry for the file. If it is not meant for harvesters, such as `.DS_Store`, `Thumbs.db` or a log, \
            exclude it from the archive."
    }
    ja {
        message "`{member}` がパッケージにあるがマニフェストにない"
        help "URI と `path` を付けてマニフェストに追加するか、パッケージから削除してください"
        what "マニフェスト以外のすべてのファイルは、マニフェストのエントリ、またはパッチリンクの `path` によって\
            記述されます。"
        why "ハーベスタは、ファイルがどのリソースのものか分からず、破棄します。リソースであれば、コピーから\
            欠けることになります。"
        fix "ファイルのエントリを追加します。`.DS_Store`、`Thumbs.db`、ログなど、ハーベスタ向けではないファイルは、\
            アーカイブから除外します。"
    }
    wrong ""
    right ""
}
