//! `left-out`: a linked document that the run was not to fetch.

use crate::rules::rule;

rule! {
    "left-out" reports [INP_06]
    checks []
    message "`{uri}` is linked here and was not looked at: {reason}"
    help "allow it if it belongs to the Source, and run again; or check it by itself"
    en {
        what "Everything a Source links to is looked at, as far as the options of the run allow."
        why "What was not looked at is neither valid nor invalid: the verdict on the whole is undetermined."
        mend "Name the host, or raise what keeps it out, if the document is part of the Source. A harvester elsewhere may meet the same \
            obstacle: documents of one Source are best kept on hosts that everybody can reach."
    }
    ja {
        message "`{uri}` へのリンクがあるが、検査していない: {reason}"
        help "ソースの一部であれば許可して再実行するか、単独で検査する"
        what "ソースがリンクする文書は、実行時のオプションが許す限りすべて検査します。"
        why "検査していない文書は有効とも無効とも言えないため、全体の判定は「未確定」になります。"
        mend "文書がソースの一部であれば、そのホストを指定するか、妨げている制限を緩めます。ほかのハーベスタも同じ障害に\
            出会う可能性があるため、一つのソースの文書は誰でも到達できるホストに置くのが安全です。"
    }
    wrong ""
    right ""
}
