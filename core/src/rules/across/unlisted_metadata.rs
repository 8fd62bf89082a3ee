//! `unlisted-metadata`: a resource linked as metadata that is not in the set.

use crate::rules::rule;

rule! {
    "unlisted-metadata" reports [LK_23]
    checks []
    message "{count} links to metadata lead to resources without an entry of their own; the first is in entry {entry}"
    help "give resource and metadata an entry each, linked to each other"
    en {
        what "`describedby` and `describes` link a resource and its metadata; both are resources with their own entries."
        why "A harvester copies what has an entry. The metadata behind these links is not copied, and its changes are never told."
        mend "Add an entry for each of the two, `describedby` in the one and `describes` in the other."
    }
    ja {
        message "メタデータへのリンク {count} 件の先に、独立したエントリがない（最初のものはエントリ {entry}）"
        help "リソースとメタデータのそれぞれにエントリを作り、互いにリンクする"
        what "`describedby` と `describes` はリソースとメタデータを結びます。どちらも独立したエントリを持つリソースです。"
        why "ハーベスタはエントリのあるものを複製します。このリンクの先のメタデータは複製されず、変更も伝わりません。"
        mend "両方にエントリを作り、一方に `describedby`、他方に `describes` を書きます。"
    }
    wrong ""
    right ""
}
