//! `unlisted-capability-list`: a Capability List that its Source Description does not list.

use crate::rules::rule;

rule! {
    "unlisted-capability-list" reports [CAP_18, SD_04]
    checks []
    message "the Source Description does not list the Capability List `{uri}`, whose `up` leads to it"
    help "add an entry for the Capability List to the Source Description, or correct its `up`"
    en {
        what "A Source Description has an entry for every Capability List of the Source, and `up` of a Capability List leads to \
            the Source Description that lists it."
        why "A harvester that begins at the Source Description never learns of this set."
        mend "Add the entry, with `capability=\"capabilitylist\"`, when a set is first published. If the Capability List moved, \
            correct `loc`."
    }
    ja {
        message "`up` がこのソース記述を指す機能リスト `{uri}` がソース記述に載っていない"
        help "ソース記述に機能リストのエントリを加えるか、`up` を訂正する"
        what "ソース記述は、ソースのすべての機能リストについてエントリを持ちます。機能リストの `up` は、それを載せている\
            ソース記述を指します。"
        why "ソース記述から始めるハーベスタは、この集合の存在を知ることができません。"
        mend "集合を公開するときに、`capability=\"capabilitylist\"` のエントリを加えます。機能リストを移動した場合は `loc` を\
            訂正します。"
    }
    wrong ""
    right ""
}
