//! `no-source-description`: a starting point from which no Source Description is found.

use crate::rules::rule;

rule! {
    "no-source-description" reports [SD_12]
    checks in ["source/checks/discovery.rs"]
    message "no Source Description found from `{uri}`"
    help "publish a Source Description at `/.well-known/resourcesync`"
    en {
        what "Every Source publishes a Source Description."
        why "Harvesters start from it. Without it nobody finds the Capability Lists, however complete they are."
        fix "Write a Source Description with one entry for each Capability List, and publish it at \
            `/.well-known/resourcesync` on the host. `<link rel=\"resourcesync\">` in web pages, for a Capability \
            List, and `Sitemap:` in `robots.txt`, for a Resource List, are additions to it."
    }
    ja {
        message "`{uri}` からソース記述にたどり着けない"
        help "`/.well-known/resourcesync` でソース記述を公開してください"
        what "すべてのソースは、ソース記述を公開します。"
        why "ハーベスタはソース記述から処理を始めます。ソース記述がなければ、機能リストがそろっていても発見されません。"
        fix "機能リストごとに 1 件のエントリを持つソース記述を作成し、ホストの `/.well-known/resourcesync` で\
            公開します。機能リストを示す Web ページの `<link rel=\"resourcesync\">` や、リソースリストを示す \
            `robots.txt` の `Sitemap:` 行は、それを補うものです。"
    }
    wrong ""
    right ""
}
