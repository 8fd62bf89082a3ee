//! `topic-type`: a topic response with the wrong media type.

use crate::rules::rule;

rule! {
    "topic-type" reports [WS_02]
    checks in ["source/checks/topics.rs"]
    message "`Content-Type` of the {method} response of the topic `{uri}` is `{value}`, not `application/xml`"
    help "set `Content-Type: application/xml` for the topic URI"
    en {
        what "The response of a topic URI has `Content-Type: application/xml`."
        why "Hubs pass the media type on, and Destinations reject content that is not declared as XML."
        fix "Set the header in the configuration of the server, also for an empty body."
    }
    ja {
        message "トピック `{uri}` の {method} 応答の `Content-Type` が `application/xml` ではなく `{value}`"
        help "トピック URI に `Content-Type: application/xml` を設定してください"
        what "トピック URI の応答の `Content-Type` は `application/xml` です。"
        why "ハブはメディアタイプをそのまま転送し、デスティネーションは XML と宣言されていない内容を拒否します。"
        fix "サーバの設定でヘッダを指定します。本文が空の場合も同様です。"
    }
    wrong ""
    right ""
}
