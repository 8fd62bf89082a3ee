//! `uncovered-page`: a page or resource that is not in the set it announces.

use crate::rules::rule;

rule! {
    "uncovered-page" reports [DI_05, DI_08]
    checks []
    message "the page announces the Capability List `{uri}`, whose documents do not mention the page"
    help "announce the Capability List of the set that the page belongs to, or add the page to its Resource List"
    en {
        what "The Capability List that a page or resource announces is about the set it belongs to."
        why "A harvester that came for this resource copies a set in which it is not."
        mend "Compare the URI of the page with `loc` in the Resource List: `http` and `https`, a slash at the end and `www` all \
            count."
    }
    ja {
        message "ページが示す機能リスト `{uri}` の文書に、そのページ自身が載っていない"
        help "ページが属する集合の機能リストを示すか、リソースリストにページを加える"
        what "ページやリソースが示す機能リストは、それ自身が属する集合のものです。"
        why "このリソースを求めて来たハーベスタが、それを含まない集合を複製することになります。"
        mend "ページの URI とリソースリストの `loc` を比べます。`http` と `https`、末尾のスラッシュ、`www` の有無も区別\
            されます。"
    }
    wrong ""
    right ""
}
