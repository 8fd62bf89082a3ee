//! `tag-limit`: a tag longer than the limit of the run.

use crate::rules::rule;

rule! {
    "tag-limit" reports [LIM_08]
    checks in ["read/fault.rs"]
    message "a tag exceeds the limit of {limit} bytes; reading stopped here"
    help "shorten the values in the tag, or raise `limits.tag_bytes` in resourcesync.toml"
    en {
        what "The length of a tag, from `<` to `>`, is limited."
        why "The rest of the document was not checked, so the verdict is undetermined unless an error was found. A \
            parser has to hold a whole tag in memory, so a very long one exhausts it."
        fix "Look for a missing quotation mark or `>` before this position. If the tag really is this long, move its \
            content to a separate resource."
    }
    ja {
        message "タグが上限の {limit} バイトを超過（ここで読み取りを中止）"
        help "タグの中の値を短くするか、resourcesync.toml の `limits.tag_bytes` を大きくしてください"
        what "タグの長さ（`<` から `>` まで）には、上限があります。"
        why "ここから先は検証していないため、エラーが見つかった場合を除き、判定は「判定保留」になります。パーサはタグ\
            全体をメモリに保持するため、極端に長いタグはメモリを使い果たします。"
        fix "この位置より前に引用符や `>` の抜けがないかを確認します。実際に長いタグであれば、内容を独立した\
            リソースに移します。"
    }
    wrong ""
    right ""
}
