//! `members-limit`: a package with more members than the limit of the run.

use crate::rules::rule;

rule! {
    "members-limit" reports [LIM_13]
    checks in ["package/structure.rs"]
    message "the package has more than {limit} members; the rest was not checked"
    help "split the dump into smaller packages, or raise `limits.members` in resourcesync.toml"
    en {
        what "The number of members that are checked is limited, because each of them takes memory."
        why "The remaining members were not checked, so the verdict is undetermined unless an error was found. \
            Harvesters have limits of their own."
        fix "Publish several packages and list each of them in the dump."
    }
    ja {
        message "パッケージのメンバーが上限の {limit} 個を超過（残りは未検証）"
        help "ダンプをより小さなパッケージに分割するか、resourcesync.toml の `limits.members` を大きくしてください"
        what "メンバーごとにメモリを使うため、検証するメンバーの数には上限があります。"
        why "残りのメンバーは検証していないため、エラーが見つかった場合を除き、判定は「判定保留」になります。\
            ハーベスタにもそれぞれ上限があります。"
        fix "複数のパッケージに分けて公開し、それぞれをダンプに列挙します。"
    }
    wrong ""
    right ""
}
