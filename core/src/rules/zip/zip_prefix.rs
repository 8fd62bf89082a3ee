//! `zip-prefix`: bytes before the archive.

use crate::rules::rule;

rule! {
    "zip-prefix" reports [ZIP_01]
    checks []
    message "{bytes} bytes stand before the first member"
    help "publish the archive alone, without anything before it"
    en {
        what "The first member of a package begins with its first byte."
        why "Readers that begin at the front and readers that begin at the end see different archives: the bytes \
            before may be a whole archive of their own."
        mend "Look for output of a script or server before the file, a self-extracting program, or two archives \
            joined by `cat`. Build the archive anew with a current tool, from the files themselves."
    }
    ja {
        message "最初のメンバーの前に {bytes} バイトのデータがある"
        help "前に何も付けず、アーカイブだけを公開する"
        what "パッケージは、先頭のバイトから最初のメンバーが始まります。"
        why "前から読むツールと後ろから読むツールでは、別のアーカイブに見えます。前のデータ自体が、もう一つのアーカイ\
            ブかもしれません。"
        mend "スクリプトやサーバの出力、自己展開プログラム、`cat` で連結したアーカイブが前に付いていないか確認します。元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
