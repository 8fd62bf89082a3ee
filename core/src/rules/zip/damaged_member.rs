//! `damaged-member`: member data that cannot be decompressed.

use crate::rules::rule;

rule! {
    "damaged-member" reports [ZIP_21]
    checks in ["package/unpack.rs"]
    message "corrupted data of `{member}` ({problem})"
    help "rebuild the archive and copy it again"
    en {
        what "The data of a member is a complete deflate stream."
        why "The bitstream cannot be extracted from this package."
        fix "Compare the file with the original: text-mode transfers and failing disks alter single bytes. Rebuild \
            the archive from the original files with a current tool."
    }
    ja {
        message "`{member}` のデータが破損（{problem}）"
        help "アーカイブを作り直し、コピーし直してください"
        what "メンバーのデータは、完全な Deflate ストリームです。"
        why "このパッケージからビットストリームを取り出せません。"
        fix "ファイルを元のものと比較します。テキストモードでの転送やディスクの故障で、一部のバイトが\
            変わることがあります。元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
