//! `topic-links`: a topic response without its `self` or `hub` link.

use crate::rules::rule;

rule! {
    "topic-links" reports [WS_03, WS_04]
    checks in ["source/checks/topics.rs"]
    message r#"the {method} response of the topic `{uri}` has no `Link` header with `rel="{relation}"`"#
    help r#"send `Link` headers with `rel="self"` (the topic URI) and `rel="hub"` (the hub URI)"#
    en {
        what "The response of a topic URI has two `Link` headers: `rel=\"self\"` with the topic URI and `rel=\"hub\"` \
            with the hub URI."
        why "A Destination subscribes at this hub to this topic. Without the headers, it does not know where and to \
            what to subscribe."
        fix "Send both headers with every response of the topic URI."
    }
    ja {
        message r#"トピック `{uri}` の {method} 応答に `rel="{relation}"` の `Link` ヘッダがない"#
        help r#"`rel="self"`（トピックの URI）と `rel="hub"`（ハブの URI）の `Link` ヘッダを送信してください"#
        what "トピック URI の応答には、トピック自身の URI を示す `rel=\"self\"` と、ハブの URI を示す `rel=\"hub\"` の \
            2 つの `Link` ヘッダが必要です。"
        why "デスティネーションは、このハブでこのトピックを購読します。ヘッダがないと、どこで何を購読すればよいか\
            分かりません。"
        fix "トピック URI のすべての応答に、両方のヘッダを付けます。"
    }
    wrong ""
    right ""
}
