//! `bad-announcement`: a page or header that announces something wrongly.

use crate::rules::rule;

rule! {
    "bad-announcement" reports [DI_04, DI_07]
    checks []
    message "this announces `{uri}` with `resourcesync`: {problem}"
    help "write `<link rel=\"resourcesync\" href=\"…\">` in the head, or the same as a `Link` header, with the URI of t\
        he Capability List"
    en {
        what "A page announces its Capability List by a `link` element in its head, a response by a `Link` header, both with \
            `rel=\"resourcesync\"` and the URI of the Capability List."
        why "Harvesters look at nothing else on the page. What stands elsewhere, or leads elsewhere, they do not find."
        mend "Move the element into `head`, give it an `href`, and let that lead to the Capability List, not to a Resource List \
            or a page about it."
    }
    ja {
        message "`resourcesync` で `{uri}` が示されている: {problem}"
        help "`head` に `<link rel=\"resourcesync\" href=\"…\">`、または同じ内容の `Link` ヘッダを書き、機能リストの UR\
            I を指す"
        what "ページは `head` の `link` 要素で、応答は `Link` ヘッダで機能リストを示します。どちらも `rel=\"resourcesync\"` と\
            機能リストの URI を書きます。"
        why "ハーベスタはページのほかの部分を見ません。別の場所に書いたものや別の文書へのリンクは見つけてもらえません。"
        mend "要素を `head` に移し、`href` を付け、リソースリストや説明ページではなく機能リストへ向けます。"
    }
    wrong ""
    right ""
}
