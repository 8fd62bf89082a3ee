//! `depth-limit`: elements nested more deeply than the limit of the run.

use crate::rules::rule;

rule! {
    "depth-limit" reports [LIM_03]
    checks in ["read/fault.rs"]
    message "elements are nested more than {limit} levels deep; reading stopped here"
    help "close elements before opening the next ones, or raise `limits.depth` in resourcesync.toml"
    en {
        what "ResourceSync documents are three levels deep. Extension elements may be nested more deeply, up to a \
            limit."
        why "The rest of the document was not checked, so the verdict is undetermined unless an error was found. Deep \
            nesting is a known attack on XML parsers, and many harvesters reject it."
        fix "Usually a program does not close its elements in a loop. If the nested content is metadata, publish it \
            as a separate resource and link to it with `describedby`."
    }
    ja {
        message "要素の入れ子が上限の {limit} 段を超過（ここで読み取りを中止）"
        help "次の要素を開く前に要素を閉じるか、resourcesync.toml の `limits.depth` を大きくしてください"
        what "ResourceSync の文書の入れ子は 3 段です。拡張要素を使えば、上限の範囲内でさらに深くできます。"
        why "ここから先は検証していないため、エラーが見つかった場合を除き、判定は「判定保留」になります。深い入れ子は \
            XML パーサへの攻撃手段として知られており、多くのハーベスタが拒否します。"
        fix "多くの場合、プログラムがループの中で要素を閉じ忘れています。入れ子の内容がメタデータであれば、独立した\
            リソースとして公開し、`describedby` でリンクします。"
    }
    wrong ""
    right ""
}
