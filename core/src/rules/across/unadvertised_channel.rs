//! `unadvertised-channel`: a notification whose channel no Capability List advertises.

use crate::rules::rule;

rule! {
    "unadvertised-channel" reports [AD_01]
    checks []
    message "the Capability List `{uri}` of this notification has no entry for its channel"
    help "add an entry for the channel to the Capability List"
    en {
        what "A channel is advertised in the Capability List of its set."
        why "Destinations find channels there. One that is not listed has no subscribers."
        mend "Add an entry with the topic URI in `loc`, the capability of the channel and a `hub` link."
    }
    ja {
        message "この通知の機能リスト `{uri}` にチャネルのエントリがない"
        help "機能リストにチャネルのエントリを加える"
        what "チャネルは、その集合の機能リストに載せます。"
        why "受信側はそこでチャネルを見つけます。載っていないチャネルは購読されません。"
        mend "`loc` にトピック URI を書き、チャネルの機能と `hub` リンクを付けたエントリを加えます。"
    }
    wrong ""
    right ""
}
