//! `attributes-limit`: a start tag with more attributes than the limit of the run.

use crate::rules::rule;

rule! {
    "attributes-limit" reports [LIM_04]
    checks in ["read/fault.rs"]
    message "more than {limit} attributes in one start tag; reading stopped here"
    help "move extension attributes to a separate document, or raise `limits.attributes` in resourcesync.toml"
    en {
        what "`rs:md` and `rs:ln` have about ten attributes. Extension attributes and namespace declarations are \
            allowed up to a limit."
        why "The rest of the document was not checked, so the verdict is undetermined unless an error was found. Some \
            XML parsers become very slow with hundreds of attributes, and careful ones reject them."
        fix "Publish the metadata as a separate resource and link to it with `describedby`. Declare namespaces once, \
            on the root element, and only those that are used."
    }
    ja {
        message "1 つの開始タグの属性数が上限の {limit} 個を超過（ここで読み取りを中止）"
        help "拡張属性を別の文書に移すか、resourcesync.toml の `limits.attributes` を大きくしてください"
        what "`rs:md` と `rs:ln` の属性は 10 個程度です。拡張属性や名前空間宣言は、上限の範囲内で追加できます。"
        why "ここから先は検証していないため、エラーが見つかった場合を除き、判定は「判定保留」になります。属性が\
            数百個になると処理が極端に遅くなる XML パーサがあり、拒否するものもあります。"
        fix "メタデータは独立したリソースとして公開し、`describedby` でリンクします。名前空間は、使うものだけをルート\
            要素で 1 回だけ宣言します。"
    }
    wrong ""
    right ""
}
