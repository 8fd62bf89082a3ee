//! `several-ends`: two end records.

use crate::rules::rule;

rule! {
    "several-ends" reports [ZIP_03]
    checks []
    message "the file can be read as more than one archive; the one that ends with the record at byte {offset} was \
        checked"
    help "build the archive anew, without a comment that holds an archive"
    en {
        what "A package has one end record, and nothing after it looks like another."
        why "Readers disagree about which one counts. A harvester may check one archive and unpack another."
        mend "Remove the comment of the archive. Build the archive anew with a current tool, from the files \
            themselves."
    }
    ja {
        message "ファイルは複数のアーカイブとして読み取れる（{offset} バイト目の終端レコードのものを検査した）"
        help "アーカイブを含むコメントを付けずに作り直す"
        what "パッケージの終端レコードは一つだけで、その後ろに別の終端レコードと読めるものはありません。"
        why "どちらを採るかはツールによって異なります。検査したアーカイブと展開したアーカイブが別物になるおそれがあり\
            ます。"
        mend "アーカイブのコメントを削除します。元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
