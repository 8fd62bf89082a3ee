//! `topic-type`: a topic with another media type.

use crate::rules::rule;

rule! {
    "topic-type" reports [WS_02]
    checks []
    message "the topic `{uri}` answers {method} with `{value}`, not with `application/xml`"
    help "set `Content-Type: application/xml` for the topic URI"
    en {
        what "A topic URI answers with `Content-Type: application/xml`."
        why "Hubs pass the type on, and Destinations refuse what is not announced as XML."
        mend "Set the header in the server's configuration, also for an empty body."
    }
    ja {
        message "トピック `{uri}` の {method} への応答が `application/xml` ではなく `{value}` である"
        help "トピック URI に `Content-Type: application/xml` を設定する"
        what "トピック URI の応答の `Content-Type` は `application/xml` です。"
        why "ハブはこの型をそのまま伝え、受信側は XML とされていないものを拒否します。"
        mend "サーバの設定でヘッダを指定します。本文が空の場合も同じです。"
    }
    wrong ""
    right ""
}
