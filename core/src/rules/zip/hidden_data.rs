//! `hidden-data`: bytes that belong to no member.

use crate::rules::rule;

rule! {
    "hidden-data" reports [ZIP_08]
    checks in ["package/structure.rs"]
    message "{bytes} unreferenced bytes at offset {offset}"
    help "rebuild the archive instead of adding members to it or deleting them"
    en {
        what "The members and the central directory fill an archive without gaps."
        why "Data in a gap is seen only by readers that scan for headers. Deleted files may remain there and are \
            published with the package."
        fix "Rebuild the archive from the original files with a current tool."
    }
    ja {
        message "オフセット {offset} に、どこからも参照されない {bytes} バイトがある"
        help "メンバーの追加や削除を行わず、アーカイブを作り直してください"
        what "アーカイブは、メンバーとセントラルディレクトリだけで隙間なく構成されます。"
        why "隙間のデータは、ヘッダを順に走査するツールからしか見えません。削除したはずのファイルが残り、\
            パッケージとともに公開されることもあります。"
        fix "元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
