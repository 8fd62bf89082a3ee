//! `links-limit`: more links in one place than this run checks.

use crate::{
    diagnostic::{Code, Finding},
    model::Link,
    rules::{Check, Look, Step, rule},
};

rule! {
    "links-limit" reports [LIM_09]
    checks [Check::Link(check)]
    message "more than {limit} `rs:ln` elements in one place"
    help "list what is linked as entries of its own, or raise `limits.links` in resourcesync.toml"
    en {
        what "One entry, and the root, may have any number of links; they are followed up to a limit."
        why "Links after this one were not checked, so the verdict is undetermined unless there is an error anyway. A \
            harvester has to hold an entry with all its links in memory and to look at each of them."
        mend "Give related resources entries of their own. Where an entry links to all members of a collection, let the \
            members link to the collection instead, with `collection`."
    }
    ja {
        message "一か所の `rs:ln` 要素が {limit} 個を超えている"
        help "リンク先をそれぞれ独立したエントリにするか、resourcesync.toml の `limits.links` を大きくする"
        what "エントリやルートに置けるリンクの数に決まりはありませんが、検査するのは上限までです。"
        why "このリンクから後は検査されず、エラーがなければ判定は「未確定」になります。\
            ハーベスタはエントリをすべてのリンクとともにメモリに置き、一つずつ調べなければなりません。"
        mend "関連するリソースはそれぞれ独立したエントリにします。コレクションの全メンバーにリンクしている場合は、\
            逆にメンバーの側から `collection` でリンクします。"
    }
    wrong ""
    right ""
}

fn check(look: &mut Look<'_>, link: &Link) {
    let limit = look.limits.links;
    // At the first link beyond the limit, and only there.
    if look.step == Step::Link(u64::from(limit) + 1) {
        look.report(Finding::new(Code::LIM_09).arg("limit", limit), link.span);
    }
}
