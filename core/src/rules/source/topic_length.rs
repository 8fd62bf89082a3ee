//! `topic-length`: an empty topic response without `Content-Length: 0`.

use crate::rules::rule;

rule! {
    "topic-length" reports [WS_06]
    checks in ["source/checks/topics.rs"]
    message "the topic `{uri}` has an empty body without `Content-Length: 0`"
    help "send `Content-Length: 0` with the empty body"
    en {
        what "The response of a topic URI without a body has `Content-Length: 0`."
        why "A Destination cannot tell an empty body from a truncated one."
        fix "Set the header, or send the latest notification as the body."
    }
    ja {
        message "トピック `{uri}` の応答に本文がなく、`Content-Length: 0` もない"
        help "空の本文とともに `Content-Length: 0` を送信してください"
        what "本文がない場合、トピック URI の応答には `Content-Length: 0` が必要です。"
        why "デスティネーションは、空の本文と途中で切れた本文を区別できません。"
        fix "ヘッダを設定するか、最新の通知を本文として返します。"
    }
    wrong ""
    right ""
}
