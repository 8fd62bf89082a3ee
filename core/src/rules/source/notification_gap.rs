//! `notification-gap`: successive notifications whose intervals do not adjoin.

use crate::rules::rule;

rule! {
    "notification-gap" reports [CN_14]
    checks in ["source/checks/notifications.rs"]
    message "`from` is `{value}`, but the preceding notification ended at `{expected}`"
    help "start each notification at the time at which the preceding one ended"
    en {
        what "Successive Change Notifications of a channel cover adjoining intervals, without gap or overlap."
        why "A Destination compares `from` with the last `until` it has seen. After a gap it has to fall back on the \
            Change List; after an overlap it applies changes twice."
        fix "Store the `until` of the last notification and write it as the `from` of the next, even if there were no \
            changes in between."
    }
    ja {
        message "`from` は `{value}` だが、直前の通知の `until` は `{expected}`"
        help "各通知の `from` を、直前の通知の `until` に合わせてください"
        what "同じチャンネルで続けて送る変更通知の期間は、隙間も重なりもなく連続します。"
        why "デスティネーションは、`from` を最後に受け取った `until` と比較します。隙間があると変更リストを\
            使うことになり、重なりがあると変更を二重に適用します。"
        fix "最後の通知の `until` を保存し、次の通知の `from` に書きます。その間に変更がなかった場合も同様です。"
    }
    wrong ""
    right ""
}
