//! `directory-bounds`: a directory that is not where it should be.

use crate::rules::rule;

rule! {
    "directory-bounds" reports [ZIP_27]
    checks []
    message "the directory of the archive declares {declared} bytes and has {actual}"
    help "build the archive anew with a current tool"
    en {
        what "The directory begins where the end record says, and ends where the end record begins."
        why "Readers that go by the offset and readers that go by the length find different directories, or none."
        mend "Build the archive anew with a current tool, from the files themselves."
    }
    ja {
        message "アーカイブのディレクトリは {declared} バイトと宣言されているが、{actual} バイトである"
        help "現行のツールでアーカイブを作り直す"
        what "ディレクトリは、終端レコードが示す位置から始まり、終端レコードの直前で終わります。"
        why "位置に従うツールと長さに従うツールで、見つかるディレクトリが異なるか、見つからなくなります。"
        mend "元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
