//! `directory-bounds`: a central directory with the wrong size.

use crate::rules::rule;

rule! {
    "directory-bounds" reports [ZIP_27]
    checks in ["package/structure.rs"]
    message "the central directory declares {declared} bytes but has {actual}"
    help "rebuild the archive with a current tool"
    en {
        what "The central directory begins at the offset in the end of central directory record and extends to that \
            record."
        why "Readers that use the offset and readers that use the size find different central directories, or none."
        fix "Rebuild the archive from the original files with a current tool."
    }
    ja {
        message "セントラルディレクトリのサイズが不一致（宣言は {declared} バイト、実際は {actual} バイト）"
        help "現行のツールでアーカイブを作り直してください"
        what "セントラルディレクトリは、終端レコードが示す位置から始まり、終端レコードの直前で終わります。"
        why "位置を使うツールとサイズを使うツールとで、異なるセントラルディレクトリが読み取られるか、\
            見つからなくなります。"
        fix "元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
