//! `value-limit`: a value longer than the limit of the run.

use crate::{model::Child, rules::prelude::*};

rule! {
    "value-limit" reports [LIM_07]
    checks [Check::Entry(Depends::Shape, check)]
    message "a value exceeds the limit of {limit} bytes and was not read to its end"
    help "shorten the value, or raise `limits.value_bytes` in resourcesync.toml"
    en {
        what "The length of attribute values and of the text of `loc`, `lastmod`, `changefreq` and `priority` is \
            limited."
        why "A value that was not read to its end cannot be checked, so the verdict is undetermined unless an error \
            was found. Harvesters store URIs in databases and send them to servers; both fail far below this length."
        fix "Check whether a whole document, an image or a session was put into the value. Give the resource a short, \
            stable URI, and publish long content at that URI."
    }
    ja {
        message "値が上限の {limit} バイトを超過（最後まで読み取っていない）"
        help "値を短くするか、resourcesync.toml の `limits.value_bytes` を大きくしてください"
        what "属性値と、`loc`、`lastmod`、`changefreq`、`priority` のテキストの長さには、上限があります。"
        why "最後まで読み取っていない値は検証できないため、エラーが見つかった場合を除き、判定は\
            「判定保留」になります。ハーベスタは URI をデータベースに保存し、サーバに送信しますが、\
            どちらもこれよりはるかに短い長さで失敗します。"
        fix "文書、画像、セッション情報などが値に入り込んでいないかを確認します。リソースには短く永続的な URI を\
            付け、長い内容はその URI で公開します。"
    }
    wrong ""
    right ""
}

/// An overlong attribute value ends reading; the text of an element is truncated, and reading continues.
fn check(cx: &mut CheckContext<'_>, entry: &Entry) {
    texts(cx, "loc", &entry.loc);
    texts(cx, "lastmod", &entry.lastmod);
    texts(cx, "changefreq", &entry.changefreq);
    texts(cx, "priority", &entry.priority);
}

fn texts<T>(cx: &mut CheckContext<'_>, element: &'static str, children: &[Child<T>]) {
    for child in children.iter().filter(|child| child.cut) {
        let finding = Finding::new(Code::LIM_07).arg("limit", cx.limits.value_bytes);
        cx.report_child(finding, element, None, child.span);
    }
}
