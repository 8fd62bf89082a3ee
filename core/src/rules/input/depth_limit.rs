//! `depth-limit`: elements nested deeper than this run follows.

use crate::rules::rule;

rule! {
    "depth-limit" reports [LIM_03]
    checks []
    message "elements are nested more than {limit} deep; reading stopped here"
    help "close elements before opening the next ones, or raise `limits.depth` in resourcesync.toml"
    en {
        what "ResourceSync itself nests three elements; extension elements may add more, up to a limit."
        why "Nothing after this place was checked, so the verdict is undetermined unless there is an error anyway. Deep \
            nesting is a known attack on XML readers, and many harvesters refuse it."
        mend "Usually a program forgot to close elements in a loop. If it is metadata that is nested so deep, publish it \
            as a resource of its own and link to it with `describedby`."
    }
    ja {
        message "要素の入れ子が {limit} 段を超えたため、ここで読み取りを止めた"
        help "次の要素を始める前に要素を閉じるか、resourcesync.toml の `limits.depth` を大きくする"
        what "ResourceSync 自体の入れ子は 3 段です。拡張要素でそれより深くできますが、上限があります。"
        why "上限を超えたところで読み取りを止めるため、そこから先は検査されず、\
            エラーがなければ判定は「未確定」になります。深い入れ子は XML を読むソフトウェアへの攻撃として知られており、\
            拒否するハーベスタもあります。"
        mend "多くの場合、プログラムがループの中で要素を閉じ忘れています。メタデータがそれほど深いのなら、\
            独立したリソースとして公開し、`describedby` でリンクします。"
    }
    wrong ""
    right ""
}
