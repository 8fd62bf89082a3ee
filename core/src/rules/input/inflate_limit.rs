//! `inflate-limit`: gzip data with a higher compression ratio than the limit of the run.

use crate::rules::rule;

rule! {
    "inflate-limit" reports [LIM_11]
    checks in ["read/item_reader.rs", "validate/document.rs"]
    message "the gzip data expands to more than {limit} times its size; reading stopped"
    help "remove padding from the document, or raise `limits.inflate_ratio` in resourcesync.toml"
    en {
        what "After the first MiB, the compression ratio of gzip data is limited. Real lists of resources stay below a \
            ratio of 70."
        why "The rest of the document was not checked, so the verdict is undetermined unless an error was found. A \
            small file that expands to gigabytes is a known attack (a decompression bomb), and protected harvesters \
            stop here as well."
        fix "Decompress the file and look for repetition: spaces, blank lines, the same entry over and over. Write \
            the document without it and compress it again."
    }
    ja {
        message "gzip データの圧縮率が上限の {limit} 倍を超過（読み取りを中止）"
        help "文書から無意味な繰り返しを取り除くか、resourcesync.toml の `limits.inflate_ratio` を大きくしてください"
        what "最初の 1 MiB を超えると、gzip データの圧縮率（展開後のサイズの倍率）に上限があります。実際のリストは 70 \
            倍を超えません。"
        why "ここから先は検証していないため、エラーが見つかった場合を除き、判定は「判定保留」になります。小さな\
            ファイルを巨大なデータに展開させる攻撃（圧縮爆弾）が知られており、対策のあるハーベスタもここで処理を\
            中止します。"
        fix "ファイルを展開し、空白、空行、同じエントリなどの繰り返しがないかを調べます。それらを取り除いて書き出し、\
            圧縮し直します。"
    }
    wrong ""
    right ""
}
