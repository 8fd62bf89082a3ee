//! `left-out`: a linked document that the options of the run excluded.

use crate::rules::rule;

rule! {
    "left-out" reports [INP_06]
    checks in ["source/checks/links.rs"]
    message "linked document `{uri}` was not checked: {reason}"
    help "if it belongs to the Source, allow it and run again, or validate it separately"
    en {
        what "Everything a Source links to is checked, as far as the options of the run allow."
        why "A document that was not checked is neither valid nor invalid, so the overall verdict is undetermined."
        fix "If the document is part of the Source, allow its host, or change the option that excludes it. Other \
            harvesters may face the same obstacle: keep the documents of a Source on hosts that everyone can reach."
    }
    ja {
        message "リンク先の文書 `{uri}` は未検証（{reason}）"
        help "ソースの一部であれば、許可して再実行するか、個別に検証してください"
        what "ソースからリンクされた文書は、実行時のオプションが許す限りすべて検証します。"
        why "検証していない文書は適合とも不適合とも判定できないため、全体の判定は「判定保留」になります。"
        fix "文書がソースの一部であれば、そのホストを許可するか、除外の原因となっているオプションを変更します。ほかの\
            ハーベスタも同じ問題に直面する可能性があるため、1 つのソースの文書は、誰でもアクセスできるホストに\
            置きます。"
    }
    wrong ""
    right ""
}
