//! `documents-limit`: more documents than the walk was to fetch.

use crate::rules::rule;

rule! {
    "documents-limit" reports [LIM_17]
    checks []
    message "`{uri}` was not looked at: the budget of documents was used up"
    help "raise the budget (`--max-documents`) and run again"
    en {
        what "A walk over a Source asks for no more documents and packages than its budget allows."
        why "What lies beyond the budget was not checked, so the verdict on the whole is undetermined."
        mend "Raise the budget, or begin at a Capability List to look at one set of resources. Links that lead in ever new circles \
            (session numbers in URIs, calendars) use up any budget; look at the last documents of the report."
    }
    ja {
        message "`{uri}` を検査していない: 文書数の上限に達した"
        help "上限（`--max-documents`）を上げて再実行する"
        what "ソースをたどる検査では、取得する文書とパッケージの数に上限があります。"
        why "上限を超えた分は検査していないため、全体の判定は「未確定」になります。"
        mend "上限を上げるか、機能リストから始めて一つのリソース集合だけを検査します。URI にセッション番号が入るなど、リンク\
            が際限なく続く場合はどの上限でも足りません。レポートの最後の文書を確認します。"
    }
    wrong ""
    right ""
}
