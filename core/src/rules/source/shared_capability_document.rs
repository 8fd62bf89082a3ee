//! `shared-capability-document`: a capability document that two Capability Lists list.

use crate::rules::rule;

rule! {
    "shared-capability-document" reports [CAP_15]
    checks in ["source/checks/missing_index.rs"]
    message "`{uri}` is also listed in another Capability List"
    help "give each set its own document, or describe the set in one Capability List"
    en {
        what "Different sets of resources have different Capability Lists, each with its own documents."
        why "A harvester that copies one set also gets resources of the other. The document does not show which set it \
            belongs to, because its `up` link can refer to only one of them."
        fix "Write one document for each set. If both Capability Lists describe the same set, remove one of them."
    }
    ja {
        message "`{uri}` が別の機能リストにも列挙されている"
        help "セットごとに文書を分けるか、1 つの機能リストにまとめてください"
        what "リソースセットが異なれば、機能リストもその文書もそれぞれ別のものになります。"
        why "一方のセットをコピーするハーベスタが、もう一方のリソースまで取得します。`up` リンクは一方しか\
            指せないため、文書がどちらのセットのものかも判断できません。"
        fix "セットごとに文書を作成します。両方の機能リストが同じセットを表している場合は、一方を廃止します。"
    }
    wrong ""
    right ""
}
