//! `digests-limit`: a `hash` with more digests than this run checks.

use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Attribute, Name, Value},
    rules::{Check, Look, rule},
};

rule! {
    "digests-limit" reports [LIM_12]
    checks [Check::Named(&[Name::Hash], check)]
    message "more than {limit} digests in one `hash`; the rest was not checked"
    help "list each algorithm once, or raise `limits.digests` in resourcesync.toml"
    en {
        what "`hash` may list digests by several algorithms; there are only a handful of them, and they are checked up to \
            a limit."
        why "Digests after that were not checked, so the verdict is undetermined unless there is an error anyway. A \
            harvester that verifies all of them has to run as many algorithms over every bitstream."
        mend "One digest is enough; `sha-256` is the best choice today, `md5` beside it serves old harvesters. If the \
            digests belong to several files, give each file its own entry."
    }
    ja {
        message "一つの `hash` のダイジェストが {limit} 個を超えたため、残りは検査していない"
        help "アルゴリズムごとに一つだけ書くか、resourcesync.toml の `limits.digests` を大きくする"
        what "`hash` には複数のアルゴリズムのダイジェストを書けますが、アルゴリズムは数種類しかなく、\
            検査するのは上限までです。"
        why "残りのダイジェストは検査されず、エラーがなければ判定は「未確定」になります。すべてを確かめるハーベスタは、\
            ビットストリームごとに同じ数の計算をしなければなりません。"
        mend "ダイジェストは一つで足ります。現在は `sha-256` が最適で、古いハーベスタのために `md5` を併記できます。\
            複数のファイルのダイジェストであれば、ファイルごとにエントリを分けます。"
    }
    wrong ""
    right ""
}

fn check(look: &mut Look<'_>, attribute: &Attribute) {
    let Value::Hash(field) = &attribute.value else { return };
    let digests = match field.loose() {
        Some(text) => text.split_ascii_whitespace().count(),
        None => field.value().map_or(0, |hashes| hashes.iter().len()),
    };
    let limit = look.limits.digests;
    if digests > limit as usize {
        look.report_value(Finding::new(Code::LIM_12).arg("limit", limit), attribute);
    }
}
