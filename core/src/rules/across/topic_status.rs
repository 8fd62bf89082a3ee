//! `topic-status`: a topic that does not answer.

use crate::rules::rule;

rule! {
    "topic-status" reports [WS_01]
    checks []
    message "the topic `{uri}` does not answer {method} with 200: {reason}"
    help "let the topic URI answer HEAD and GET with 200"
    en {
        what "HEAD and GET of a topic URI answer 200 OK."
        why "A Destination learns the hub from this answer. Without it, it cannot subscribe."
        mend "Serve the URI, with or without the latest notification in the body."
    }
    ja {
        message "トピック `{uri}` が {method} に 200 を返さない: {reason}"
        help "トピック URI で HEAD と GET に 200 を返す"
        what "トピック URI への HEAD と GET には 200 OK を返します。"
        why "受信側はこの応答からハブを知ります。応答がなければ購読できません。"
        mend "その URI で応答します。本文は最新の通知でも空でもかまいません。"
    }
    wrong ""
    right ""
}
