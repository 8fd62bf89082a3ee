//! `special-member`: a member that is not a regular file.

use crate::rules::rule;

rule! {
    "special-member" reports [ZIP_18]
    checks in ["package/directory.rs"]
    message "`{member}` is not a regular file ({problem})"
    help "package the file itself"
    en {
        what "The members of a package are regular files and folders."
        why "A link may make a harvester write outside its target folder, and it contains no bitstream. Careful \
            harvesters reject such packages."
        fix "Package the target of the link, as `zip -r` without `-y` does."
    }
    ja {
        message "`{member}` が通常のファイルではない（{problem}）"
        help "ファイルそのものをパッケージに入れてください"
        what "パッケージのメンバーは、通常のファイルとフォルダです。"
        why "リンクは、展開先フォルダの外への書き込みに悪用されるおそれがあり、ビットストリームも含みません。安全性を\
            重視するハーベスタは、このようなパッケージを拒否します。"
        fix "リンク先のファイルをパッケージに入れます。`zip -r` は、`-y` を付けなければリンク先を格納します。"
    }
    wrong ""
    right ""
}
