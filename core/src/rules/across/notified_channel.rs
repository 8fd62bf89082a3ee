//! `notified-channel`: a notification of a channel.

use crate::rules::rule;

rule! {
    "notified-channel" reports [CH_06]
    checks []
    message "`{uri}` is the topic of a notification channel; channels are not notified"
    help "update the Capability List and notify that"
    en {
        what "Creation and removal of channels show in updated Capability Lists only."
        why "A receiver looks for a capability document at the URI and finds a topic."
        mend "Remove the entry. If the Capability List changed, name that one."
    }
    ja {
        message "`{uri}` は通知チャネルのトピックである。チャネルは通知しない"
        help "機能リストを更新し、その更新を通知する"
        what "チャネルの追加や削除は、機能リストの更新だけで示します。"
        why "受信側はその URI に機能の文書を期待しますが、あるのはトピックです。"
        mend "エントリを削除します。機能リストが変わったのであれば、その機能リストを通知します。"
    }
    wrong ""
    right ""
}
