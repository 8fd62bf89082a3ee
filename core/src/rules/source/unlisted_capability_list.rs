//! `unlisted-capability-list`: a Capability List that is missing from its Source Description.

use crate::rules::rule;

rule! {
    "unlisted-capability-list" reports [CAP_18, SD_04]
    checks in ["source/checks/missing_index.rs"]
    message "the Source Description does not list the Capability List `{uri}`, although the `up` link of that list refers to it"
    help "add an entry for the Capability List to the Source Description, or correct its `up` link"
    en {
        what "A Source Description has an entry for every Capability List of the Source, and the `up` link of a \
            Capability List refers to the Source Description that lists it."
        why "A harvester that starts at the Source Description never finds this set."
        fix "Add the entry, with `capability=\"capabilitylist\"`, when you first publish a set. If the Capability \
            List was moved, correct `loc`."
    }
    ja {
        message "`up` リンクでこのソース記述を指す機能リスト `{uri}` が、ソース記述にない"
        help "ソース記述に機能リストのエントリを追加するか、機能リストの `up` リンクを修正してください"
        what "ソース記述には、ソースのすべての機能リストのエントリがあります。機能リストの `up` リンクは、それを\
            列挙しているソース記述を指します。"
        why "ソース記述から始めるハーベスタは、このセットを発見できません。"
        fix "セットを初めて公開するときに、`capability=\"capabilitylist\"` のエントリを追加します。機能リストを\
            移動した場合は、`loc` を修正します。"
    }
    wrong ""
    right ""
}
