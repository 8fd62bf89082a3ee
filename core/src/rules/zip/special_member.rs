//! `special-member`: a member that is no regular file.

use crate::rules::rule;

rule! {
    "special-member" reports [ZIP_18]
    checks []
    message "`{member}` is not a regular file ({problem})"
    help "pack the file itself"
    en {
        what "Members of a package are regular files and folders."
        why "A link can lead a harvester to write outside its folder, and there is no bitstream in it. Careful \
            harvesters refuse such packages."
        mend "Pack what the link leads to: `zip -r` without `-y` does so."
    }
    ja {
        message "`{member}` は通常のファイルではない（{problem}）"
        help "ファイルそのものを入れる"
        what "パッケージのメンバーは、通常のファイルとフォルダです。"
        why "リンクは、ハーベスタに展開先の外へ書き込ませるおそれがあり、ビットストリームも含みません。慎重なハーベス\
            タはこのようなパッケージを拒否します。"
        mend "リンク先のファイルを入れます。`zip -r` は `-y` を付けなければそうします。"
    }
    wrong ""
    right ""
}
