//! `folder-with-data`: a folder that is also a file.

use crate::rules::rule;

rule! {
    "folder-with-data" reports [ZIP_19]
    checks in ["package/directory.rs"]
    message "inconsistent whether `{member}` is a folder or a file ({problem})"
    help "end the names of folders, and only of folders, with `/`"
    en {
        what "A member whose name ends with `/` is a folder and has no data. All other members are not folders."
        why "Some readers create a folder, others a file."
        fix "Rebuild the archive from the original files with a current tool."
    }
    ja {
        message "`{member}` がフォルダなのかファイルなのか矛盾（{problem}）"
        help "フォルダの名前だけを `/` で終わらせてください"
        what "名前が `/` で終わるメンバーはフォルダで、データを持ちません。それ以外のメンバーはフォルダではありません。"
        why "フォルダを作成するツールと、ファイルを作成するツールがあります。"
        fix "元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
