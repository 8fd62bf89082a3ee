//! `zip-prefix`: bytes before the archive.

use crate::rules::rule;

rule! {
    "zip-prefix" reports [ZIP_01]
    checks in ["package/structure.rs"]
    message "{bytes} bytes before the first member"
    help "publish the archive without anything before it"
    en {
        what "The first member begins at the first byte of a package."
        why "Readers that start at the beginning and readers that start at the end see different archives: the leading \
            bytes may be an archive of their own."
        fix "Look for script or server output before the archive, a self-extracting executable, or two concatenated \
            archives. Rebuild the archive from the original files with a current tool."
    }
    ja {
        message "最初のメンバーの前に {bytes} バイトの余分なデータがある"
        help "前に何も付けず、アーカイブだけを公開してください"
        what "パッケージでは、先頭のバイトから最初のメンバーが始まります。"
        why "先頭から読むツールと末尾から読むツールとで、異なるアーカイブに見えます。先頭のデータが、それ自体で別の\
            アーカイブになっている可能性もあります。"
        fix "スクリプトやサーバの出力、自己展開形式の実行部分、連結された別のアーカイブが前に付いていないかを\
            調べます。元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
