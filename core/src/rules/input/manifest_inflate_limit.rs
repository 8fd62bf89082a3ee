//! `manifest-inflate-limit`: a manifest with a higher compression ratio than the limit of the run.

use crate::rules::rule;

rule! {
    "manifest-inflate-limit" reports [LIM_15]
    checks in ["package/verify/verification.rs"]
    message "the manifest expands to more than {limit} times its size; reading stopped"
    help "remove padding from the manifest, or raise `limits.inflate_ratio` in resourcesync.toml"
    en {
        what "After the first MiB, the compression ratio of a manifest is limited. Real manifests stay below a ratio \
            of 70."
        why "The manifest was not read, so the content of the package was not compared with it, and the verdict is \
            undetermined unless an error was found."
        fix "Look for repetition in the manifest: spaces, blank lines, the same entry over and over. Write it without \
            them."
    }
    ja {
        message "マニフェストの圧縮率が上限の {limit} 倍を超過（読み取りを中止）"
        help "マニフェストから無意味な繰り返しを取り除くか、resourcesync.toml の `limits.inflate_ratio` を大きくしてください"
        what "最初の 1 MiB を超えると、マニフェストの圧縮率（展開後のサイズの倍率）に上限があります。実際の\
            マニフェストは 70 倍を超えません。"
        why "マニフェストを読み取っておらず、パッケージの内容と照合していないため、エラーが見つかった場合を除き、\
            判定は「判定保留」になります。"
        fix "空白、空行、同じエントリなどの繰り返しがないかを調べ、それらを取り除いて書き出します。"
    }
    wrong ""
    right ""
}
