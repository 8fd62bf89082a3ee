//! `several-ends`: several end of central directory records.

use crate::rules::rule;

rule! {
    "several-ends" reports [ZIP_03]
    checks in ["package/end.rs"]
    message "the file can be read as more than one archive; checked the one whose end record is at offset {offset}"
    help "rebuild the archive, without an archive inside its comment"
    en {
        what "A package has exactly one end of central directory record, and nothing after it looks like another."
        why "Readers disagree about which one counts. A harvester may verify one archive and unpack another."
        fix "Remove the comment of the archive, or rebuild the archive from the original files with a current tool."
    }
    ja {
        message "ファイルを複数のアーカイブとして解釈できる（検証したのは、終端レコードがオフセット {offset} のもの）"
        help "コメントにアーカイブを含めず、アーカイブを作り直してください"
        what "パッケージの終端レコードは 1 つだけで、その後に終端レコードとみなせるデータはありません。"
        why "どの終端レコードを採用するかは、ツールによって異なります。検証したアーカイブと展開したアーカイブが\
            別のものになるおそれがあります。"
        fix "アーカイブのコメントを削除するか、元のファイルから現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
