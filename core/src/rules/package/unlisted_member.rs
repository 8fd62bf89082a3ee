//! `unlisted-member`: a member that the manifest does not know.

use crate::rules::rule;

rule! {
    "unlisted-member" reports [PKG_04]
    checks []
    message "`{member}` is in the package, but not in its manifest"
    help "list the file with its URI and `path`, or leave it out of the package"
    en {
        what "Every file of a package but the manifest is described by an entry of the manifest, or named by the \
            `path` of a patch link."
        why "A harvester does not know which resource the file belongs to and throws it away; the resource, if it is \
            one, is missing from its copy."
        mend "Add an entry for the file. If it is not meant for harvesters (`.DS_Store`, `Thumbs.db`, logs), keep it \
            out when packing."
    }
    ja {
        message "`{member}` はパッケージにあるがマニフェストにない"
        help "URI と `path` を付けてマニフェストに載せるか、パッケージから除く"
        what "マニフェスト以外のファイルはすべて、マニフェストのエントリ、またはパッチリンクの `path` に記述されます。"
        why "ハーベスタはそのファイルがどのリソースのものか分からず、捨ててしまいます。本来のリソースであれば、複製から欠けることになります。"
        mend "ファイルのエントリを加えます。`.DS_Store` や `Thumbs.db`、ログのように配布しないものは、圧縮すると\
            きに除きます。"
    }
    wrong ""
    right ""
}
