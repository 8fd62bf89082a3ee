//! `sets-differ`: capabilities of one set that do not speak of the same resources.

use crate::rules::rule;

rule! {
    "sets-differ" reports [CAP_16, RLI_12, CDM_18]
    checks []
    message "{count} of the {total} resources of `{uri}` are not in the {kind}; the first is in entry {entry}"
    help "write both from the same state of the repository"
    en {
        what "The capabilities of one Capability List speak of the same set: what is in the Resource List is in the Resource \
            Dump, and the changes of an interval are in Change List and Change Dump alike."
        why "Two harvesters that choose different capabilities end up with different copies, and each believes that its copy is \
            complete."
        mend "Look at the first resource that is missing and find out which of the two was written from an older state, or with \
            another filter."
    }
    ja {
        message "`{uri}` のリソース {total} 件のうち {count} 件が{kind}にない（最初のものはエントリ {entry}）"
        help "両方をリポジトリの同じ状態から作る"
        what "一つの機能リストにある機能は、同じ集合を表します。リソースリストにあるものはリソースダンプにもあり、同じ期\
            間の変更は変更リストと変更ダンプの両方にあります。"
        why "別の機能を選んだ二つのハーベスタの複製が食い違い、それぞれが自分の複製を完全だと見なします。"
        mend "最初に欠けているリソースを調べ、どちらが古い状態や別の条件から作られたかを確認します。"
    }
    wrong ""
    right ""
}
