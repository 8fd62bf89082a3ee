//! `channel-mismatch`: a topic whose topic URI or hub differs from the Capability List.

use crate::rules::rule;

rule! {
    "channel-mismatch" reports [AD_05]
    checks in ["source/checks/topics.rs"]
    message "`{relation}` of the topic `{uri}` is `{value}`, but the Capability List has `{expected}`"
    help "use the same topic and hub URI in both places"
    en {
        what "The topic and hub of a channel are the same in the Capability List and in the `Link` headers of the \
            topic."
        why "A Destination subscribes at one hub while the Source sends to another. No notification arrives, and \
            nobody notices."
        fix "Take both URIs from the same place in the configuration."
    }
    ja {
        message "トピック `{uri}` の `{relation}` は `{value}` だが、機能リストでは `{expected}`"
        help "両方で同じトピックとハブの URI を使ってください"
        what "チャンネルのトピックとハブは、機能リストとトピックの `Link` ヘッダとで一致します。"
        why "デスティネーションが購読するハブと、ソースが送信するハブが異なると、通知は届かず、誰も気付きません。"
        fix "両方の URI を、設定の同じ箇所から取得します。"
    }
    wrong ""
    right ""
}
