//! `shared-capability-document`: a capability document that two Capability Lists list.

use crate::rules::rule;

rule! {
    "shared-capability-document" reports [CAP_15]
    checks []
    message "`{uri}` is listed in another Capability List too"
    help "give each set its own document, or describe the set by one Capability List"
    en {
        what "Distinct sets of resources are described by distinct Capability Lists, each with its own documents."
        why "A harvester that copies one set gets resources of the other, and cannot tell from the document which set it \
            belongs to: `up` leads to one of the two."
        mend "Write one document for each set. If both Capability Lists mean the same set, withdraw one."
    }
    ja {
        message "`{uri}` が別の機能リストにも載っている"
        help "集合ごとに文書を分けるか、一つの機能リストにまとめる"
        what "異なるリソース集合は、それぞれ別の機能リストと文書で記述します。"
        why "一方の集合を複製するハーベスタが他方のリソースまで取得してしまい、文書がどちらの集合のものか判断できません。`up` は\
            一方しか指せないためです。"
        mend "集合ごとに文書を作ります。両方の機能リストが同じ集合を表すなら、一方の公開をやめます。"
    }
    wrong ""
    right ""
}
