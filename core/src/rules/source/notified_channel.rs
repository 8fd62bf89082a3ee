//! `notified-channel`: a notification about a notification channel.

use crate::rules::rule;

rule! {
    "notified-channel" reports [CH_06]
    checks in ["source/checks/notifications.rs"]
    message "`{uri}` is the topic of a notification channel, for which no notifications are sent"
    help "update the Capability List, and send a notification for the Capability List"
    en {
        what "The creation and removal of channels is announced only by updated Capability Lists."
        why "A receiver expects a capability document at the URI and finds a topic."
        fix "Remove the entry. If the Capability List changed, send a notification with its URI."
    }
    ja {
        message "`{uri}` は通知チャンネルのトピックで、通知の対象にならない"
        help "機能リストを更新し、機能リストの更新を通知してください"
        what "チャンネルの追加や削除は、機能リストの更新だけで公表します。"
        why "受信側は、その URI に機能の文書があることを想定していますが、実際にはトピックがあります。"
        fix "エントリを削除します。機能リストが変更された場合は、その機能リストの URI を通知します。"
    }
    wrong ""
    right ""
}
