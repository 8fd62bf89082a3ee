//! `manifest-inflate-limit`: a manifest that unpacks to far more than manifests do.

use crate::rules::rule;

rule! {
    "manifest-inflate-limit" reports [LIM_15]
    checks []
    message "the manifest unpacks to more than {limit} times its size; reading stopped"
    help "remove the padding from the manifest, or raise `limits.inflate_ratio` in resourcesync.toml"
    en {
        what "After the first MiB, a manifest may unpack to so many times its packed size; real ones stay below 70 \
            times."
        why "The manifest was not read, so nothing of the package was compared with it and the verdict is \
            undetermined unless there is an error anyway."
        mend "Look at what repeats in the manifest: blanks, blank lines, the same entry over and over. Write it \
            without that."
    }
    ja {
        message "マニフェストが圧縮時の {limit} 倍を超えて展開されるため、読み取りを止めた"
        help "マニフェストから無意味な繰り返しを取り除くか、resourcesync.toml の `limits.inflate_ratio` を大きくする"
        what "マニフェストは、最初の 1 MiB を超えると、展開後の大きさの倍率に上限があります。実際のものは 70 \
            倍を超えません。"
        why "マニフェストを読んでいないため、パッケージの中身と比べておらず、エラーがなければ判定は「未確定」になりま\
            す。"
        mend "空白や空行、同じエントリの繰り返しがないか確認し、それらを除いて書き出します。"
    }
    wrong ""
    right ""
}
