//! `topic-status`: a topic that does not respond with status 200.

use crate::rules::rule;

rule! {
    "topic-status" reports [WS_01]
    checks in ["source/checks/topics.rs"]
    message "the topic `{uri}` does not respond to {method} with status 200: {reason}"
    help "respond to HEAD and GET of the topic URI with status 200"
    en {
        what "A topic URI responds to HEAD and GET with 200 OK."
        why "A Destination gets the hub from this response. Without it, the Destination cannot subscribe."
        fix "Serve the URI, with or without the latest notification in the body."
    }
    ja {
        message "トピック `{uri}` への {method} にステータス 200 が返らない（{reason}）"
        help "トピック URI への HEAD と GET に、ステータス 200 で応答してください"
        what "トピック URI は、HEAD と GET に 200 OK で応答します。"
        why "デスティネーションは、この応答からハブの URI を取得します。応答がなければ購読できません。"
        fix "この URI で応答を返します。本文は、最新の通知でも空でもかまいません。"
    }
    wrong ""
    right ""
}
