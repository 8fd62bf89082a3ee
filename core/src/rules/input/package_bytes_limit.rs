//! `package-bytes-limit`: a package that unpacks to more bytes than the limit of the run.

use crate::rules::rule;

rule! {
    "package-bytes-limit" reports [LIM_14]
    checks in ["package/verify/verification/transitions.rs"]
    message "the members declare more than {limit} bytes in total; the rest was not unpacked"
    help "split the dump into smaller packages, or raise `limits.package_bytes` in resourcesync.toml"
    en {
        what "The number of bytes that are unpacked is limited, counted by the declared sizes of the members."
        why "The remaining members were not unpacked and their digests not verified, so the verdict is undetermined \
            unless an error was found. A small file that expands to terabytes is a known attack (a decompression \
            bomb)."
        fix "Publish several packages and list each of them in the dump."
    }
    ja {
        message "メンバーの宣言サイズの合計が上限の {limit} バイトを超過（残りは未展開）"
        help "ダンプをより小さなパッケージに分割するか、resourcesync.toml の `limits.package_bytes` を大きくしてください"
        what "展開するバイト数には、メンバーの宣言サイズの合計に基づく上限があります。"
        why "残りのメンバーは展開しておらず、ダイジェストも検証していないため、エラーが見つかった場合を除き、判定は\
            「判定保留」になります。小さなファイルを巨大なデータに展開させる攻撃（圧縮爆弾）が知られています。"
        fix "複数のパッケージに分けて公開し、それぞれをダンプに列挙します。"
    }
    wrong ""
    right ""
}
