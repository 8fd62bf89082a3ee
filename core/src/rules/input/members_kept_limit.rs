//! `members-kept-limit`: more links than a crawl keeps in memory.

use crate::rules::rule;

rule! {
    "members-kept-limit" reports [LIM_18]
    checks in ["source/checks/links.rs"]
    message "entries of this document that were not followed: {count}; a crawl keeps a limited number and size of entries"
    help "split the document, check the sets of the Source one by one, or raise `limits.kept_entries`, `limits.crawl_entries` or `limits.kept_entry_bytes` in resourcesync.toml"
    en {
        what "A crawl of a Source keeps a limited number of entries that link to other documents."
        why "The documents behind the remaining entries were not checked, so the overall verdict is undetermined."
        fix "A document may have at most 50,000 entries. If a Source has more documents than a crawl can keep, check \
            it set by set, starting at each Capability List, or raise `kept_entries` (entries of one document), \
            `crawl_entries` (entries of all documents) or `kept_entry_bytes`; each kept entry costs about 1 KB of memory."
    }
    ja {
        message "文書の {count} 件のエントリをたどっていない（クロール中に保持できるエントリの数と大きさには上限がある）"
        help "文書を分割するか、ソースのリソースセットを 1 つずつ検証するか、resourcesync.toml の `limits.kept_entries`、`limits.crawl_entries`、`limits.kept_entry_bytes` を大きくしてください"
        what "ソースをたどる検証では、ほかの文書を指すエントリを一定数まで保持します。"
        why "残りのエントリが指す文書は検証していないため、全体の判定は「判定保留」になります。"
        fix "1 件の文書に書けるエントリは 50,000 件までです。保持できる数を超える文書を持つソースは、それぞれの機能\
            リストから開始して、セットごとに検証するか、`kept_entries`（1 件の文書のエントリ数）、`crawl_entries`（全文書の\
            エントリ数）、`kept_entry_bytes` の値を大きくします。保持するエントリ 1 件につき約 1 KB のメモリを使います。"
    }
    wrong ""
    right ""
}
