//! `uncovered-page`: a page or resource that is not part of the set it announces.

use crate::rules::rule;

rule! {
    "uncovered-page" reports [DI_05, DI_08]
    checks in ["source/checks/discovery.rs"]
    message "the page announces the Capability List `{uri}`, but is not part of its set"
    help "announce the Capability List of the set to which the page belongs, or add the page to its Resource List"
    en {
        what "The Capability List that a page or resource announces is that of the set to which it belongs."
        why "A harvester that came for this resource copies a set that does not contain it."
        fix "Compare the URI of the page with `loc` in the Resource List, including `http` or `https`, a trailing \
            slash and `www`."
    }
    ja {
        message "ページが機能リスト `{uri}` を公表しているが、そのセットに含まれていない"
        help "ページが属するセットの機能リストを公表するか、リソースリストにページを追加してください"
        what "ページやリソースが公表する機能リストは、それ自身が属するセットの機能リストです。"
        why "このリソースを収集しようとしたハーベスタが、それを含まないセットをコピーすることになります。"
        fix "ページの URI を、リソースリストの `loc` と比較します。`http` と `https`、末尾のスラッシュ、`www` の\
            有無も区別されます。"
    }
    wrong ""
    right ""
}
