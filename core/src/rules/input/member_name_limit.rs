//! `member-name-limit`: a name of a member that is too long or too deep.

use crate::rules::rule;

rule! {
    "member-name-limit" reports [LIM_16]
    checks []
    message "the name `{member}` is beyond {limit} (`{name}`)"
    help "shorten the name, or raise `limits.{name}` in resourcesync.toml"
    en {
        what "Names of members stay within 1,024 bytes, their segments within 255 bytes and 64 in number."
        why "Common file systems cannot hold such a name, so whether the package can be unpacked is undetermined."
        mend "Shorten file names when packing, by a number or a digest; the URI in `loc` may stay long."
    }
    ja {
        message "名前 `{member}` が上限 {limit}（`{name}`）を超えている"
        help "名前を短くするか、resourcesync.toml の `limits.{name}` を大きくする"
        what "メンバーの名前は 1,024 バイト以内、セグメントごとに 255 バイト以内、深さ 64 以内です。"
        why "一般的なファイルシステムには置けない名前のため、展開できるかどうかは「未確定」です。"
        mend "圧縮するときに、番号やダイジェストを使って名前を短くします。`loc` の URI \
            は長いままでかまいません。"
    }
    wrong ""
    right ""
}
