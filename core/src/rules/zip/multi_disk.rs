//! `multi-disk`: an archive in several volumes.

use crate::rules::rule;

rule! {
    "multi-disk" reports [ZIP_25]
    checks []
    message "the archive says that parts of it are on other disks"
    help "join the parts and build one archive of them"
    en {
        what "A package is one file that holds all of its members."
        why "A harvester fetches one file for each package and never sees the other volumes."
        mend "Use `zip -s 0 split.zip --out whole.zip`, and split large dumps into several packages instead."
    }
    ja {
        message "アーカイブの一部が別のディスクにあることになっている"
        help "分割されたものを一つのアーカイブにまとめる"
        what "パッケージは、すべてのメンバーを含む一つのファイルです。"
        why "ハーベスタはパッケージごとに一つのファイルだけを取得するため、ほかの巻を見つけられません。"
        mend "`zip -s 0 split.zip --out whole.zip` でまとめます。大きなダンプは、巻に分けずに複数のパッケージに\
            します。"
    }
    wrong ""
    right ""
}
