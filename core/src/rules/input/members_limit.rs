//! `members-limit`: a package of too many members.

use crate::rules::rule;

rule! {
    "members-limit" reports [LIM_13]
    checks []
    message "the package has more than {limit} members; the rest was not looked at"
    help "split the dump into smaller packages, or raise `limits.members` in resourcesync.toml"
    en {
        what "A package is followed up to so many members; each takes memory while it is checked."
        why "Nothing after this member was checked, so the verdict is undetermined unless there is an error anyway. \
            Harvesters have limits of their own."
        mend "Publish several packages; the dump lists each of them."
    }
    ja {
        message "パッケージのメンバーが {limit} 個を超えたため、残りは検査していない"
        help "ダンプを小さなパッケージに分けるか、resourcesync.toml の `limits.members` を大きくする"
        what "検査するメンバーの数には上限があります。検査中は一つごとにメモリを使うためです。"
        why "これより後のメンバーは検査しておらず、エラーがなければ判定は「未確定」になります。ハーベスタにも上限があ\
            ります。"
        mend "複数のパッケージに分けて公開します。ダンプにはそれぞれを載せます。"
    }
    wrong ""
    right ""
}
