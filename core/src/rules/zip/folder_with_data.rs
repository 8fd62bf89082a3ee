//! `folder-with-data`: a folder that is also a file.

use crate::rules::rule;

rule! {
    "folder-with-data" reports [ZIP_19]
    checks []
    message "`{member}` is a folder by its name and a file by the rest, or the reverse ({problem})"
    help "end the names of folders, and of nothing else, with `/`"
    en {
        what "A member whose name ends with `/` is a folder, has no data, and no other member is a folder."
        why "One reader makes a folder of it, another a file."
        mend "Build the archive anew with a current tool, from the files themselves."
    }
    ja {
        message "`{member}` がフォルダかファイルかが、名前とほかの情報とで食い違う（{problem}）"
        help "フォルダの名前だけを `/` で終える"
        what "名前が `/` で終わるメンバーはデータを持たないフォルダで、ほかのメンバーはフォルダではありません。"
        why "フォルダを作るツールもあれば、ファイルを作るツールもあります。"
        mend "元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
