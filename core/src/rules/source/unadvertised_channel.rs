//! `unadvertised-channel`: a notification whose channel is not announced in its Capability List.

use crate::rules::rule;

rule! {
    "unadvertised-channel" reports [AD_01]
    checks in ["source/checks/notifications.rs"]
    message "the Capability List `{uri}` of this notification has no entry for the channel"
    help "add an entry for the channel to the Capability List"
    en {
        what "A channel is announced in the Capability List of its set."
        why "Destinations find channels there. A channel without an entry has no subscribers."
        fix "Add an entry with the topic URI in `loc`, the capability of the channel and a `hub` link."
    }
    ja {
        message "この通知の機能リスト `{uri}` に、通知チャンネルのエントリがない"
        help "機能リストに通知チャンネルのエントリを追加してください"
        what "通知チャンネルは、そのセットの機能リストで公表します。"
        why "デスティネーションは、機能リストから通知チャンネルを発見します。エントリのないチャンネルは購読されません。"
        fix "`loc` にトピックの URI を書き、チャンネルの `capability` と `hub` リンクを付けたエントリを追加します。"
    }
    wrong ""
    right ""
}
