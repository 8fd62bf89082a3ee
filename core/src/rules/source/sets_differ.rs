//! `sets-differ`: capabilities of one set that describe different resources.

use crate::rules::rule;

rule! {
    "sets-differ" reports [CAP_16, RLI_12, CDM_18]
    checks in ["source/checks/consistency.rs"]
    message "{count} of the {total} entries of `{uri}` are missing from the {kind}; the first is entry {entry}"
    help "generate both documents from the same state of the repository"
    en {
        what "The capabilities of a Capability List describe the same set: the resources of the Resource List are in \
            the Resource Dump, and the changes of an interval are in both the Change List and the Change Dump."
        why "Harvesters that use different capabilities end up with different copies, and each considers its copy \
            complete."
        fix "Look at the first missing resource, and find out which of the documents was generated from an older \
            state or with a different filter."
    }
    ja {
        message "`{uri}` のエントリ {total} 件のうち {count} 件が{kind}にない（最初はエントリ {entry}）"
        help "両方の文書を、リポジトリの同じ状態から生成してください"
        what "同じ機能リストにある機能は、同じリソースセットを対象とします。リソースリストのリソースは\
            リソースダンプにもあり、同じ期間の変更は変更リストと変更ダンプの両方にあります。"
        why "異なる機能を利用したハーベスタどうしのコピーが食い違い、どちらも自分のコピーを完全なものとみなします。"
        fix "最初に欠けているリソースを調べ、どちらの文書が古い状態または異なる条件から生成されたのかを確認します。"
    }
    wrong ""
    right ""
}
