//! `value-limit`: an attribute value, or the text of an element such as `loc`, longer than this run keeps.

use crate::{
    diagnostic::{Code, Finding},
    model::{Child, Entry},
    rules::{Check, Look, rule},
};

rule! {
    "value-limit" reports [LIM_07]
    checks [Check::Entry(check)]
    message "a value is longer than {limit} bytes and was not read to its end"
    help "shorten the value, or raise `limits.value_bytes` in resourcesync.toml"
    en {
        what "An attribute value, and the text of `loc`, `lastmod`, `changefreq` and `priority`, is read up to a number \
            of bytes."
        why "A value that is not known to its end cannot be judged, so the verdict is undetermined unless there is an \
            error anyway. Harvesters keep URIs in databases and send them to servers; both give up far below this \
            length."
        mend "Check whether a whole document, an image or a session was put into the value. Give the resource a short, \
            stable URI, and publish what is long at that URI."
    }
    ja {
        message "値が {limit} バイトを超えたため、最後まで読み取っていない"
        help "値を短くするか、resourcesync.toml の `limits.value_bytes` を大きくする"
        what "属性の値と、`loc`、`lastmod`、`changefreq`、`priority` の内容は、決まったバイト数まで読み取ります。"
        why "最後まで読んでいない値は判断できないため、エラーがなければ判定は「未確定」になります。\
            ハーベスタは URI をデータベースに記録し、サーバに送りますが、\
            どちらもこの長さのはるか手前で扱えなくなります。"
        mend "文書や画像、セッション情報などが値に入り込んでいないか確認します。\
            リソースには短く変わらない URI を付け、長い内容はその URI で公開します。"
    }
    wrong ""
    right ""
}

/// Attribute values end reading; the text of an element is cut, and reading goes on.
fn check(look: &mut Look<'_>, entry: &Entry) {
    texts(look, "loc", &entry.loc);
    texts(look, "lastmod", &entry.lastmod);
    texts(look, "changefreq", &entry.changefreq);
    texts(look, "priority", &entry.priority);
}

fn texts<T>(look: &mut Look<'_>, element: &'static str, children: &[Child<T>]) {
    for child in children.iter().filter(|child| child.cut) {
        let finding = Finding::new(Code::LIM_07).arg("limit", look.limits.value_bytes);
        look.report_child(finding, element, None, child.span);
    }
}
