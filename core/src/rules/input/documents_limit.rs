//! `documents-limit`: a Source with more documents than the limit of the run.

use crate::rules::rule;

rule! {
    "documents-limit" reports [LIM_17]
    checks in ["source/checks/links.rs"]
    message "`{uri}` was not checked: the limit on the number of documents was reached"
    help "raise the limit (`--max-documents`) and run again"
    en {
        what "A crawl of a Source fetches at most as many documents and packages as its limit allows."
        why "Documents beyond the limit were not checked, so the overall verdict is undetermined."
        fix "Raise the limit, or start at a Capability List to check a single set of resources. Endless links, such \
            as session IDs in URIs or calendars, exceed any limit; look at the last documents in the report."
    }
    ja {
        message "`{uri}` は未検証（文書数の上限に到達）"
        help "上限（`--max-documents`）を大きくして再実行してください"
        what "ソースをたどる検証では、取得する文書とパッケージの数に上限があります。"
        why "上限を超えた文書は検証していないため、全体の判定は「判定保留」になります。"
        fix "上限を大きくするか、機能リストから開始して 1 つのリソースセットだけを検証します。URI に含まれる\
            セッション ID やカレンダーのように、リンクが際限なく続く場合は、上限を大きくしても足りません。レポートの\
            最後の文書を確認します。"
    }
    wrong ""
    right ""
}
