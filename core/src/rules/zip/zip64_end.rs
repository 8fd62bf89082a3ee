//! `zip64-end`: ZIP64 end records that contradict the regular one.

use crate::rules::rule;

rule! {
    "zip64-end" reports [ZIP_05]
    checks in ["package/end.rs"]
    message "inconsistent ZIP64 records at the end of the archive ({problem})"
    help "rebuild the archive with a current tool"
    en {
        what "The ZIP64 end of central directory record, its locator and the regular end of central directory record \
            follow each other directly and agree."
        why "Readers with and without ZIP64 support see different members."
        fix "Rebuild the archive from the original files with a current tool."
    }
    ja {
        message "アーカイブ末尾の ZIP64 レコードに矛盾（{problem}）"
        help "現行のツールでアーカイブを作り直してください"
        what "ZIP64 の終端レコード、そのロケータ、通常の終端レコードは、この順に隙間なく並び、内容が一致します。"
        why "ZIP64 に対応したツールと対応していないツールとで、見えるメンバーが異なります。"
        fix "元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
