//! `channel-mismatch`: a topic that names another topic or hub than the Capability List.

use crate::rules::rule;

rule! {
    "channel-mismatch" reports [AD_05]
    checks []
    message "the topic `{uri}` names `{value}` as its `{relation}`; the Capability List has `{expected}`"
    help "write the same topic and hub URI in both places"
    en {
        what "Topic and hub of a channel are the same in the Capability List and in the `Link` headers of the topic."
        why "A Destination subscribes at one hub and the Source sends to another: no notification arrives, and nobody notices."
        mend "Take both URIs from one place in the configuration."
    }
    ja {
        message "トピック `{uri}` の `{relation}` は `{value}` だが、機能リストでは `{expected}` である"
        help "両方に同じトピックとハブの URI を書く"
        what "チャネルのトピックとハブは、機能リストとトピックの `Link` ヘッダで同じです。"
        why "受信側が購読するハブとソースが送るハブが違うと、通知は届かず、誰も気づきません。"
        mend "両方の URI を設定の一か所から取ります。"
    }
    wrong ""
    right ""
}
