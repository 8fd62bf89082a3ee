//! `member-name-limit`: a member name that is too long or too deep.

use crate::rules::rule;

rule! {
    "member-name-limit" reports [LIM_16]
    checks in ["package/structure.rs"]
    message "member name `{member}` exceeds the limit `{name}` of {limit}"
    help "shorten the name, or raise `limits.{name}` in resourcesync.toml"
    en {
        what "Member names have at most 1,024 bytes and 64 segments of at most 255 bytes each."
        why "Common file systems do not support such a name, so it is undetermined whether the package can be unpacked."
        fix "Shorten file names when you build the package, for example to a number or a digest. The URI in `loc` may \
            stay long."
    }
    ja {
        message "メンバー名 `{member}` が上限（`{name}` = {limit}）を超過"
        help "名前を短くするか、resourcesync.toml の `limits.{name}` を大きくしてください"
        what "メンバー名は 1,024 バイト以内、セグメントはそれぞれ 255 バイト以内で 64 個までです。"
        why "一般的なファイルシステムではこのような名前を使えないため、パッケージを展開できるかどうかは\
            「判定保留」になります。"
        fix "パッケージの作成時に、番号やダイジェストを使ってファイル名を短くします。`loc` の URI は\
            長いままでかまいません。"
    }
    wrong ""
    right ""
}
