//! `no-source-description`: a start that does not lead to a Source Description.

use crate::rules::rule;

rule! {
    "no-source-description" reports [SD_12]
    checks []
    message "no Source Description was found from `{uri}`"
    help "publish a Source Description at `/.well-known/resourcesync`"
    en {
        what "Every Source publishes a Source Description."
        why "It is where harvesters begin. Without it nobody finds the Capability Lists, however complete they are."
        mend "Write a Source Description with one entry for each Capability List and publish it at `/.well-known/resourcesync` \
            of the host. A page announces a Capability List with `<link rel=\"resourcesync\">`, `robots.txt` a Resource List \
            with `Sitemap:`; both come in addition."
    }
    ja {
        message "`{uri}` からソース記述が見つからない"
        help "`/.well-known/resourcesync` にソース記述を公開する"
        what "すべてのソースはソース記述を公開します。"
        why "ハーベスタはここから始めます。ソース記述がなければ、機能リストがそろっていても見つけてもらえません。"
        mend "機能リストごとに一つのエントリを持つソース記述を作り、ホストの `/.well-known/resourcesync` に公開します。\
            ページの `<link rel=\"resourcesync\">` や `robots.txt` の `Sitemap:` 行は、それに加えて使うものです。"
    }
    wrong ""
    right ""
}
