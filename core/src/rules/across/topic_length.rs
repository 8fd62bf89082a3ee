//! `topic-length`: an empty topic that does not say so.

use crate::rules::rule;

rule! {
    "topic-length" reports [WS_06]
    checks []
    message "the topic `{uri}` has no body and no `Content-Length: 0`"
    help "send `Content-Length: 0` with the empty body"
    en {
        what "A topic URI without a body answers with `Content-Length: 0`."
        why "A Destination cannot tell an empty body from one that was cut off."
        mend "Set the header, or send the latest notification as the body."
    }
    ja {
        message "トピック `{uri}` に本文がなく、`Content-Length: 0` もない"
        help "空の本文に `Content-Length: 0` を付ける"
        what "本文のないトピック URI は `Content-Length: 0` を返します。"
        why "受信側は、空の本文と途中で切れた本文を区別できません。"
        mend "ヘッダを付けるか、最新の通知を本文として返します。"
    }
    wrong ""
    right ""
}
