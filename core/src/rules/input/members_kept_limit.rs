//! `members-kept-limit`: more links than a crawl keeps in memory.

use crate::rules::rule;

rule! {
    "members-kept-limit" reports [LIM_18]
    checks in ["source/checks/links.rs"]
    message "{count} entries of this document were not followed: a crawl keeps at most 100,000 per document, 500,000 in total and 4 KiB each"
    help "split the document as the standard requires, or check the sets of the Source one by one"
    en {
        what "A crawl of a Source keeps a limited number of entries that link to other documents."
        why "The documents behind the remaining entries were not checked, so the overall verdict is undetermined."
        fix "A document may have at most 50,000 entries. If a Source has more documents than a crawl can keep, check \
            it set by set, starting at each Capability List."
    }
    ja {
        message "文書の {count} 件のエントリをたどっていない（保持できるのは 1 文書 100,000 件、全体 500,000 件、1 件 4 KiB まで）"
        help "標準に従って文書を分割するか、ソースのリソースセットを 1 つずつ検証してください"
        what "ソースをたどる検証では、ほかの文書を指すエントリを一定数まで保持します。"
        why "残りのエントリが指す文書は検証していないため、全体の判定は「判定保留」になります。"
        fix "1 件の文書に書けるエントリは 50,000 件までです。保持できる数を超える文書を持つソースは、それぞれの機能\
            リストから開始して、セットごとに検証します。"
    }
    wrong ""
    right ""
}
