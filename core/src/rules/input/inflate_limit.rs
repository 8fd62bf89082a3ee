//! `inflate-limit`: gzip data that unpacks to far more than documents do.

use crate::rules::rule;

rule! {
    "inflate-limit" reports [LIM_11]
    checks []
    message "the gzip data unpacks to more than {limit} times its size; reading stopped"
    help "remove the padding from the document, or raise `limits.inflate_ratio` in resourcesync.toml"
    en {
        what "After the first MiB, gzip data may unpack to so many times its own size; lists of resources stay below 70 \
            times."
        why "Nothing after this place was checked, so the verdict is undetermined unless there is an error anyway. A \
            small file that unpacks to gigabytes is a known attack, and harvesters that protect themselves break off \
            here too."
        mend "Unpack the file and see what repeats in it: blanks, blank lines, the same entry over and over. Write the \
            document without that and pack it again."
    }
    ja {
        message "gzip データが圧縮時の {limit} 倍を超えて展開されるため、読み取りを止めた"
        help "文書から無意味な繰り返しを取り除くか、resourcesync.toml の `limits.inflate_ratio` を大きくする"
        what "gzip データは、最初の 1 MiB を超えると、圧縮時の大きさに対する展開後の大きさの倍率に上限があります。\
            実際のリストは 70 倍を超えません。"
        why "上限を超えたところで読み取りを止めるため、そこから先は検査されず、\
            エラーがなければ判定は「未確定」になります。小さなファイルを巨大なデータに展開させるのはよく知られた攻撃で、\
            対策のあるハーベスタもここで読むのをやめます。"
        mend "ファイルを展開し、空白や空行、同じエントリの繰り返しがないか確認します。それらを除いて書き出し、\
            圧縮し直します。"
    }
    wrong ""
    right ""
}
