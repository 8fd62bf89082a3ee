//! `notified-index`: a notification of an index.

use crate::rules::rule;

rule! {
    "notified-index" reports [FN_15]
    checks []
    message "`{uri}` is an index; notifications speak of its members"
    help "name a member and point at the index with `rel=\"index\"`"
    en {
        what "Framework Notifications are not sent for indexes: `loc` is never a `sitemapindex` document."
        why "A receiver expects a document of the stated capability and cannot tell which of the members changed."
        mend "Put the URI of a changed or new member into `loc`, and add an `index` link."
    }
    ja {
        message "`{uri}` はインデックスである。通知にはメンバーを書く"
        help "メンバーの URI を書き、`rel=\"index\"` でインデックスを指す"
        what "フレームワーク通知はインデックスについては送りません。`loc` が `sitemapindex` 文書になることはありません。"
        why "受信側は示された機能の文書を期待しており、どのメンバーが変わったか判断できません。"
        mend "変更または追加されたメンバーの URI を `loc` に書き、`index` リンクを加えます。"
    }
    wrong ""
    right ""
}
