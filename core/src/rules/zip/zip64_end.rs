//! `zip64-end`: ZIP64 end records that contradict the plain one.

use crate::rules::rule;

rule! {
    "zip64-end" reports [ZIP_05]
    checks []
    message "the ZIP64 records at the end of the archive do not fit ({problem})"
    help "build the archive anew with a current tool"
    en {
        what "The ZIP64 end record, its locator and the plain end record say the same, one directly after the other."
        why "A reader that knows ZIP64 and one that does not see different members."
        mend "Build the archive anew with a current tool, from the files themselves."
    }
    ja {
        message "アーカイブ末尾の ZIP64 レコードが合わない（{problem}）"
        help "現行のツールでアーカイブを作り直す"
        what "ZIP64 の終端レコード、そのロケータ、通常の終端レコードは、隙間なく並び、同じ内容を示します。"
        why "ZIP64 を読むツールと読まないツールで、見えるメンバーが異なります。"
        mend "元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
