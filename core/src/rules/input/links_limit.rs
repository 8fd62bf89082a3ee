//! `links-limit`: more links in one place than the limit of the run.

use crate::rules::prelude::*;

rule! {
    "links-limit" reports [LIM_09]
    checks [Check::Link(Depends::Shape, check)]
    message "more than {limit} `rs:ln` elements in one place; the rest was not checked"
    help "list the linked resources as separate entries, or raise `limits.links` in resourcesync.toml"
    en {
        what "An entry, or the root element, may have any number of links. They are checked up to a limit."
        why "The remaining links were not checked, so the verdict is undetermined unless an error was found. A \
            harvester has to keep an entry with all its links in memory and process each of them."
        fix "Give related resources entries of their own. If an entry links to all members of a collection, let the \
            members link to the collection with `collection` instead."
    }
    ja {
        message "1 か所の `rs:ln` 要素が上限の {limit} 個を超過（残りは未検証）"
        help "リンク先をそれぞれ独立したエントリにするか、resourcesync.toml の `limits.links` を大きくしてください"
        what "エントリやルート要素に書けるリンクの数に制限はありませんが、検証するのは上限までです。"
        why "残りのリンクは検証していないため、エラーが見つかった場合を除き、判定は「判定保留」になります。\
            ハーベスタは、エントリをすべてのリンクとともにメモリに保持し、1 つずつ処理することになります。"
        fix "関連リソースをそれぞれ独立したエントリにします。エントリからコレクションの全メンバーにリンクしている\
            場合は、逆にメンバーの側から `collection` でコレクションにリンクします。"
    }
    wrong ""
    right ""
}

fn check(cx: &mut CheckContext<'_>, link: &Link) {
    let limit = cx.limits.links;
    // At the first link beyond the limit, and only there.
    if cx.step == PathStep::Link(u64::from(limit) + 1) {
        cx.report(Finding::new(Code::LIM_09).arg("limit", limit), link.span);
    }
}
