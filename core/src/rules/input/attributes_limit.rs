//! `attributes-limit`: a start tag with more attributes than this run reads.

use crate::rules::rule;

rule! {
    "attributes-limit" reports [LIM_04]
    checks []
    message "more than {limit} attributes in one start tag; reading stopped here"
    help "move extension attributes into a document of their own, or raise `limits.attributes` in resourcesync.toml"
    en {
        what "`rs:md` and `rs:ln` have about ten attributes; extension attributes and namespace declarations may add \
            more, up to a limit."
        why "Nothing after this place was checked, so the verdict is undetermined unless there is an error anyway. Some \
            XML readers become very slow with hundreds of attributes, and careful ones refuse them."
        mend "Put metadata into a resource of its own and link to it with `describedby`. Declare namespaces once, at the \
            root, and only those that are used."
    }
    ja {
        message "一つの開始タグの属性が {limit} 個を超えたため、ここで読み取りを止めた"
        help "拡張属性を別の文書に移すか、resourcesync.toml の `limits.attributes` を大きくする"
        what "`rs:md` や `rs:ln` の属性は 10 個ほどです。拡張属性と名前空間宣言を加えられますが、上限があります。"
        why "上限を超えたところで読み取りを止めるため、そこから先は検査されず、\
            エラーがなければ判定は「未確定」になります。属性が数百になると極端に遅くなるソフトウェアがあり、\
            慎重なものは拒否します。"
        mend "メタデータは独立したリソースとして公開し、`describedby` でリンクします。\
            名前空間は使うものだけをルート要素で一度だけ宣言します。"
    }
    wrong ""
    right ""
}
