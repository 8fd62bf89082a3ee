//! `several-members-notified`: a notification of several new members of one index.

use crate::rules::rule;

rule! {
    "several-members-notified" reports [FN_17]
    checks []
    message "another new member of the index `{uri}` is in this notification already"
    help "name one of the new members only"
    en {
        what "When several documents appear under one index at once, only one of them is notified; the receiver finds the rest \
            through the index."
        why "The receiver reads the index once for each entry, which costs the Source and the receiver time and brings nothing."
        mend "Send one entry with an `index` link."
    }
    ja {
        message "インデックス `{uri}` の別の新しいメンバーがこの通知にすでにある"
        help "新しいメンバーのうち一つだけを書く"
        what "一つのインデックスに複数の文書が同時に現れたときは、一つだけを通知します。残りは受信側がインデックスから見\
            つけます。"
        why "受信側はエントリごとにインデックスを読むことになり、双方の負担が増えるだけです。"
        mend "`index` リンクを付けたエントリを一つ送ります。"
    }
    wrong ""
    right ""
}
