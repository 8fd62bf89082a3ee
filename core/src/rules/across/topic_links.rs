//! `topic-links`: a topic that does not name itself or its hub.

use crate::rules::rule;

rule! {
    "topic-links" reports [WS_03, WS_04]
    checks []
    message "the topic `{uri}` answers {method} without a `Link` header with `rel=\"{relation}\"`"
    help "send `Link` headers with `rel=\"self\"` (the topic URI) and `rel=\"hub\"` (the hub URI)"
    en {
        what "A topic URI answers with `Link` headers: `rel=\"self\"` leads to the topic itself, `rel=\"hub\"` to the hub."
        why "A Destination subscribes at the hub under the topic named here. Without the two it does not know where, or for what."
        mend "Send both headers with every answer of the topic URI."
    }
    ja {
        message "トピック `{uri}` の {method} への応答に `rel=\"{relation}\"` の `Link` ヘッダがない"
        help "`rel=\"self\"`（トピック URI）と `rel=\"hub\"`（ハブの URI）の `Link` ヘッダを送る"
        what "トピック URI の応答には `Link` ヘッダが必要です。`rel=\"self\"` はトピック自身、`rel=\"hub\"` はハブを指し\
            ます。"
        why "受信側は、ここに書かれたトピックをハブで購読します。ないと、どこで何を購読するか分かりません。"
        mend "トピック URI のすべての応答に両方のヘッダを付けます。"
    }
    wrong ""
    right ""
}
