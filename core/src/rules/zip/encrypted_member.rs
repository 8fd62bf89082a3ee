//! `encrypted-member`: a member that needs a password.

use crate::rules::rule;

rule! {
    "encrypted-member" reports [ZIP_12]
    checks in ["package/directory.rs"]
    message "`{member}` is encrypted"
    help "package the file without a password"
    en {
        what "The members of a package can be unpacked by everyone."
        why "A harvester has no password. This member was not unpacked, and its digests were not verified."
        fix "Build the archive without encryption. To restrict access, require a login on the server that delivers \
            the package."
    }
    ja {
        message "`{member}` が暗号化されている"
        help "パスワードを付けずにパッケージ化してください"
        what "パッケージのメンバーは、誰でも展開できます。"
        why "ハーベスタはパスワードを持っていません。このメンバーは展開しておらず、ダイジェストも検証していません。"
        fix "暗号化せずにアーカイブを作成します。アクセスを制限する場合は、パッケージを配信するサーバでログインを\
            求めます。"
    }
    wrong ""
    right ""
}
