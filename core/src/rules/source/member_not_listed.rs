//! `member-not-listed`: a document of the set that is missing from the index.

use crate::rules::rule;

rule! {
    "member-not-listed" reports [RLI_07, RDI_07, CLI_07, CDI_07]
    checks in ["source/checks/missing_index.rs"]
    message "`{uri}` is a {expectedKind} of the same set, but is not listed in this index"
    help "add the document to the index, or stop publishing it"
    en {
        what "An index has one `sitemap` entry for every document of its kind in the set."
        why "A harvester reads what the index lists. A missing document is never read, so its resources or changes are \
            missing from every copy."
        fix "Update the index whenever you add a document."
    }
    ja {
        message "同じセットの{expectedKind} `{uri}` がこのインデックスにない"
        help "文書をインデックスに追加するか、公開を終了してください"
        what "インデックスには、セットに属する同じ種類のすべての文書について、`sitemap` エントリが 1 件ずつあります。"
        why "ハーベスタは、インデックスが列挙する文書だけを読みます。列挙されていない文書のリソースや変更は、どの\
            コピーにも反映されません。"
        fix "文書を追加するたびに、インデックスを更新します。"
    }
    wrong ""
    right ""
}
