//! `multi-disk`: an archive split into several volumes.

use crate::rules::rule;

rule! {
    "multi-disk" reports [ZIP_25]
    checks in ["package/directory.rs", "package/end.rs"]
    message "the archive is split into several volumes"
    help "join the volumes into one archive"
    en {
        what "A package is one file that contains all of its members."
        why "A harvester fetches one file for each package and never sees the other volumes."
        fix "Join the volumes with `zip -s 0 split.zip --out whole.zip`. Divide large dumps into several packages \
            instead."
    }
    ja {
        message "アーカイブが複数のボリュームに分割されている"
        help "ボリュームを 1 つのアーカイブに結合してください"
        what "パッケージは、すべてのメンバーを含む 1 つのファイルです。"
        why "ハーベスタはパッケージごとに 1 つのファイルだけを取得するため、ほかのボリュームは認識されません。"
        fix "`zip -s 0 split.zip --out whole.zip` でボリュームを結合します。大きなダンプは、代わりに複数の\
            パッケージに分けます。"
    }
    wrong ""
    right ""
}
