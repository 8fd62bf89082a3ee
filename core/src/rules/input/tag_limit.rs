//! `tag-limit`: a tag longer than this run reads.

use crate::rules::rule;

rule! {
    "tag-limit" reports [LIM_08]
    checks []
    message "a tag is longer than {limit} bytes; reading stopped here"
    help "shorten the values in the tag, or raise `limits.tag_bytes` in resourcesync.toml"
    en {
        what "One tag, from `<` to `>`, is read up to a number of bytes."
        why "Nothing after this place was checked, so the verdict is undetermined unless there is an error anyway. A \
            reader has to hold a tag as a whole, so an endless one fills its memory."
        mend "Look for a missing quotation mark or `>` before this place. If the tag is really that long, move what fills \
            it into a resource of its own."
    }
    ja {
        message "タグが {limit} バイトを超えたため、ここで読み取りを止めた"
        help "タグの中の値を短くするか、resourcesync.toml の `limits.tag_bytes` を大きくする"
        what "一つのタグは、`<` から `>` まで、決まったバイト数まで読み取ります。"
        why "上限を超えたところで読み取りを止めるため、そこから先は検査されず、\
            エラーがなければ判定は「未確定」になります。タグは全体を保持しないと読めないため、\
            終わりのないタグはメモリを使い果たします。"
        mend "この前に引用符や `>` が抜けていないか確認します。本当に長いタグであれば、\
            長い内容を独立したリソースに移します。"
    }
    wrong ""
    right ""
}
