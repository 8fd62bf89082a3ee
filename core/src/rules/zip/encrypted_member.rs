//! `encrypted-member`: a member that needs a password.

use crate::rules::rule;

rule! {
    "encrypted-member" reports [ZIP_12]
    checks []
    message "`{member}` is encrypted"
    help "pack it without a password"
    en {
        what "Members of a package can be unpacked by anybody."
        why "A harvester has no password. This member was not unpacked and its digests were not checked."
        mend "Pack without encryption. If access has to be limited, let the server ask for a login before it sends \
            the package."
    }
    ja {
        message "`{member}` は暗号化されている"
        help "パスワードなしで入れる"
        what "パッケージのメンバーは、誰でも展開できます。"
        why "ハーベスタはパスワードを持っていません。このメンバーは展開しておらず、ダイジェストも確かめていません。"
        mend "暗号化せずに圧縮します。利用を制限したい場合は、パッケージを送る前にサーバでログインを求めます。"
    }
    wrong ""
    right ""
}
