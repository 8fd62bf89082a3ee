//! `file-and-folder`: a name that is both a file and a folder.

use crate::rules::rule;

rule! {
    "file-and-folder" reports [ZIP_17]
    checks in ["package/name_collision.rs"]
    message "`{member}` is a file, but `{other}` requires it to be a folder"
    help "rename the file or the folder"
    en {
        what "No member is inside another member that is a file."
        why "No file system can store both, so one of them is lost."
        fix "Rename one of them, both in the archive and in `path`. Resources such as `/a` and `/a/b` are often \
            packaged as `a.html` and `a/b`."
    }
    ja {
        message "`{member}` はファイルだが、`{other}` を格納するにはフォルダでなければならない"
        help "ファイルまたはフォルダの名前を変更してください"
        what "ファイルであるメンバーの中に、別のメンバーを置くことはできません。"
        why "どのファイルシステムも両方を保存できないため、一方が失われます。"
        fix "アーカイブと `path` の両方で、どちらかの名前を変更します。`/a` と `/a/b` のようなリソースは、`a.html` と \
            `a/b` のようにパッケージ化するのが一般的です。"
    }
    wrong ""
    right ""
}
