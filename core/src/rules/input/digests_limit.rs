//! `digests-limit`: a `hash` with more digests than the limit of the run.

use crate::rules::prelude::*;

rule! {
    "digests-limit" reports [LIM_12]
    checks [Check::Named(Depends::Usual, &[Name::Hash], check)]
    message "more than {limit} digests in one `hash`; the rest was not checked"
    help "list each algorithm once, or raise `limits.digests` in resourcesync.toml"
    en {
        what "`hash` may contain digests of several algorithms. There are only a few of them, and they are checked up \
            to a limit."
        why "The remaining digests were not checked, so the verdict is undetermined unless an error was found. A \
            harvester that verifies all of them has to compute as many digests for every bitstream."
        fix "One digest is sufficient: `sha-256` is the best choice today, and an additional `md5` supports old \
            harvesters. If the digests belong to several files, give each file its own entry."
    }
    ja {
        message "1 つの `hash` のダイジェスト数が上限の {limit} 個を超過（残りは未検証）"
        help "アルゴリズムごとに 1 つだけ書くか、resourcesync.toml の `limits.digests` を大きくしてください"
        what "`hash` には複数のアルゴリズムのダイジェストを書けます。アルゴリズムは数種類しかなく、検証するのは\
            上限までです。"
        why "残りのダイジェストは検証していないため、エラーが見つかった場合を除き、判定は「判定保留」になります。\
            すべてを検証するハーベスタは、ビットストリームごとに同じ数のダイジェストを計算することになります。"
        fix "ダイジェストは 1 つで十分です。現在は `sha-256` が最適で、古いハーベスタのために `md5` を\
            併記することもできます。複数のファイルのダイジェストであれば、ファイルごとにエントリを分けます。"
    }
    wrong ""
    right ""
}

fn check(cx: &mut CheckContext<'_>, attribute: &Attribute) {
    let AttributeValue::Hash(field) = &attribute.value else { return };
    let digests = match field.loose() {
        Some(text) => text.split_ascii_whitespace().count(),
        None => field.value().map_or(0, |hashes| hashes.iter().len()),
    };
    let limit = cx.limits.digests;
    if digests > limit as usize {
        cx.report_value(Finding::new(Code::LIM_12).arg("limit", limit), attribute);
    }
}
