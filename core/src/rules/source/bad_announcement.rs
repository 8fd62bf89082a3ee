//! `bad-announcement`: an incorrect `resourcesync` link in a page or header.

use crate::rules::rule;

rule! {
    "bad-announcement" reports [DI_04, DI_07]
    checks in ["source/checks/discovery.rs"]
    message "`resourcesync` link to `{uri}` is not usable: {problem}"
    help r#"write `<link rel="resourcesync" href="…">` in the head, or send an equivalent `Link` header, with the URI of the Capability List"#
    en {
        what "A web page announces its Capability List with a `link` element in its head, a response with a `Link` \
            header, both with `rel=\"resourcesync\"` and the URI of the Capability List."
        why "Harvesters look only there. They do not find a link in another place, or cannot use one with another \
            target. In `href`, character references are decoded as HTML defines, by number and by name; names of \
            characters above U+00FF, which no URI contains, are left as they are."
        fix "Move the element into `head`, add its `href`, and let it refer to the Capability List, not to a Resource \
            List or a page about it."
    }
    ja {
        message "`{uri}` への `resourcesync` リンクが利用できない（{problem}）"
        help r#"`head` に `<link rel="resourcesync" href="…">` を書くか、同等の `Link` ヘッダを送信し、機能リストの URI を指定してください"#
        what "Web ページは `head` の `link` 要素で、HTTP 応答は `Link` ヘッダで機能リストを公表します。どちらも \
            `rel=\"resourcesync\"` と機能リストの URI を指定します。"
        why "ハーベスタが調べるのはこの 2 か所だけです。別の場所に書いたリンクは見つからず、別の文書へのリンクは\
            利用できません。`href` の文字参照は、数値でも名前でも HTML の定義どおりに復号します。URI に現れない \
            U+00FF より後の文字の名前は復号しません。"
        fix "要素を `head` に移し、`href` を追加して、リソースリストや説明ページではなく機能リストを指すようにします。"
    }
    wrong ""
    right ""
}
