//! `notified-member`: a notification of a member that does not point at its index.

use crate::rules::rule;

rule! {
    "notified-member" reports [FN_14]
    checks []
    message "`{uri}` is a member of the index `{index}`, which the entry does not point at"
    help "add `<rs:ln rel=\"index\" href=\"{index}\"/>` to the entry"
    en {
        what "When a changed document is a member of an index, its entry in a Framework Notification has an `index` link to that \
            index."
        why "The receiver learns of one part only; the link is how it finds the others that changed together with it."
        mend "Write the link whenever the document itself has one."
    }
    ja {
        message "`{uri}` はインデックス `{index}` のメンバーだが、エントリがそれを指していない"
        help "エントリに `<rs:ln rel=\"index\" href=\"{index}\"/>` を加える"
        what "変更された文書がインデックスのメンバーであれば、フレームワーク通知のエントリに `index` リンクを付けます。"
        why "受信側には一部しか知らされません。このリンクが、同時に変わったほかの部分を見つける手段です。"
        mend "文書自身に `index` リンクがあるときは、通知のエントリにも書きます。"
    }
    wrong ""
    right ""
}
