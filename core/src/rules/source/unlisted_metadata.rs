//! `unlisted-metadata`: linked metadata without an entry of its own.

use crate::rules::rule;

rule! {
    "unlisted-metadata" reports [LK_23]
    checks in ["source/checks/consistency.rs"]
    message "links to metadata that has no entry: {count}; the first is in entry {entry}"
    help "add an entry for both the resource and its metadata, and link them to each other"
    en {
        what "`describedby` and `describes` link a resource and its metadata. Both are resources with entries of their \
            own."
        why "A harvester copies the resources that have an entry. It does not copy the metadata behind these links and \
            does not learn of its changes."
        fix "Add an entry for each of them, with `describedby` in the one and `describes` in the other."
    }
    ja {
        message "メタデータへのリンク {count} 件のリンク先に、エントリがない（最初はエントリ {entry}）"
        help "リソースとメタデータの両方にエントリを作成し、相互にリンクしてください"
        what "`describedby` と `describes` は、リソースとそのメタデータを結び付けます。どちらも、それぞれエントリを\
            持つリソースです。"
        why "ハーベスタがコピーするのは、エントリのあるリソースです。リンク先のメタデータはコピーされず、その変更も\
            伝わりません。"
        fix "それぞれのエントリを作成し、一方に `describedby`、もう一方に `describes` を書きます。"
    }
    wrong ""
    right ""
}
