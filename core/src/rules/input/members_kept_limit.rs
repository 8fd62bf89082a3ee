//! `members-kept-limit`: more links than a walk can remember.

use crate::rules::rule;

rule! {
    "members-kept-limit" reports [LIM_18]
    checks []
    message "{count} entries of this document were not followed: a walk remembers 100,000 of one document and 500,000 of all, none longer than 4 KiB"
    help "split the document as the standard asks, or look at the sets of the Source one by one"
    en {
        what "A walk over a Source remembers a bounded number of entries that lead to other documents."
        why "What the other entries lead to was not looked at, so the verdict on the whole is undetermined."
        mend "No document may have more than 50,000 entries. A Source with more documents than a walk remembers is looked at set by \
            set: begin at each Capability List."
    }
    ja {
        message "この文書の {count} 件のエントリをたどっていない: 記憶するのは一つの文書で 100,000 件、全体で 500,000 件、1 件 4 KiB まで"
        help "標準どおりに文書を分割するか、ソースの集合を一つずつ検査する"
        what "ソースをたどる検査では、ほかの文書へ導くエントリを一定の数まで記憶します。"
        why "残りのエントリの先は検査していないため、全体の判定は「未確定」になります。"
        mend "一つの文書は 50,000 エントリまでです。文書の数が多すぎるソースは、機能リストごとに分けて検査します。"
    }
    wrong ""
    right ""
}
