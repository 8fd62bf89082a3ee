//! `file-and-folder`: a name that is a file and a folder.

use crate::rules::rule;

rule! {
    "file-and-folder" reports [ZIP_17]
    checks []
    message "`{member}` is a file, and `{other}` needs it to be a folder"
    help "rename the file or the folder"
    en {
        what "No member lies inside a member that is a file."
        why "No file system can hold both, so whichever is unpacked second is lost."
        mend "Give one of them another name, in the archive and in `path`. Resources such as `/a` and `/a/b` are \
            often packed as `a.html` and `a/b`."
    }
    ja {
        message "`{member}` はファイルだが、`{other}` を置くにはフォルダでなければならない"
        help "ファイルかフォルダの名前を変える"
        what "ファイルであるメンバーの中に、別のメンバーは入りません。"
        why "ファイルシステムは両方を置けないため、後から展開したほうが失われます。"
        mend "アーカイブと `path` の両方で、どちらかの名前を変えます。`/a` と `/a/b` のようなリソースは、\
            `a.html` と `a/b` として入れるのが普通です。"
    }
    wrong ""
    right ""
}
