//! `damaged-member`: a member that cannot be unpacked.

use crate::rules::rule;

rule! {
    "damaged-member" reports [ZIP_21]
    checks []
    message "the data of `{member}` is damaged ({problem})"
    help "build the archive anew and copy it again"
    en {
        what "The data of a member is a whole stream of deflate."
        why "The bitstream cannot be had from this package."
        mend "Compare the file with the original; transfers in text mode and failing disks change single bytes. Build \
            the archive anew with a current tool, from the files themselves."
    }
    ja {
        message "`{member}` のデータが壊れている（{problem}）"
        help "アーカイブを作り直し、コピーし直す"
        what "メンバーのデータは、完全な deflate ストリームです。"
        why "このパッケージからビットストリームを取り出すことはできません。"
        mend "元のファイルと比べます。テキストモードの転送やディスクの故障で、一部のバイトが変わることがあります\
            。元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
