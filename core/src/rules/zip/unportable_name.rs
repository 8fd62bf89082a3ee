//! `unportable-name`: a name that Windows cannot have.

use crate::rules::rule;

rule! {
    "unportable-name" reports [ZIP_14]
    checks []
    message "member `{member}` has a name that cannot be unpacked on Windows"
    help "leave out `< > : \" | ? *` in names"
    en {
        what "Names of members can be unpacked on every common system."
        why "A harvester on Windows refuses the file or changes its name, and then does not find it under its `path`."
        mend "Replace these characters when the package is built, in the archive and in `path`. The URI in `loc` may \
            keep them."
    }
    ja {
        message "メンバー `{member}` の名前は Windows では展開できない"
        help "名前に `< > : \" | ? *` を使わない"
        what "メンバーの名前は、一般的なシステムのどれでも展開できるものにします。"
        why "Windows のハーベスタはファイルを拒否するか名前を変え、`path` のファイルを見つけられなくなります。"
        mend "パッケージの作成時に、アーカイブと `path` の両方でこれらの文字を置き換えます。`loc` の URI \
            はそのままでかまいません。"
    }
    wrong ""
    right ""
}
