//! `package-bytes-limit`: a package that unpacks to too much.

use crate::rules::rule;

rule! {
    "package-bytes-limit" reports [LIM_14]
    checks []
    message "the members declare more than {limit} bytes together; the rest was not unpacked"
    help "split the dump into smaller packages, or raise `limits.package_bytes` in resourcesync.toml"
    en {
        what "A package is unpacked up to so many bytes, by what its members declare."
        why "The members beyond were not unpacked and their digests not checked, so the verdict is undetermined \
            unless there is an error anyway. A small file that unpacks to terabytes is a known attack."
        mend "Publish several packages; the dump lists each of them."
    }
    ja {
        message "メンバーの宣言サイズの合計が {limit} バイトを超えたため、残りは展開していない"
        help "ダンプを小さなパッケージに分けるか、resourcesync.toml の `limits.package_bytes` を大きくする"
        what "展開する量には、メンバーが宣言したサイズの合計で上限があります。"
        why "超えた分のメンバーは展開せず、ダイジェストも確かめていないため、エラーがなければ判定は「未確定」になりま\
            す。小さなファイルを巨大に展開させるのは、よく知られた攻撃です。"
        mend "複数のパッケージに分けて公開します。ダンプにはそれぞれを載せます。"
    }
    wrong ""
    right ""
}
