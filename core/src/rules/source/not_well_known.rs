//! `not-well-known`: a Source Description that is not available at the well-known URI.

use crate::rules::rule;

rule! {
    "not-well-known" reports [DI_02]
    checks in ["source/checks/discovery.rs"]
    message "`{uri}` does not lead to the Source Description"
    help "publish the Source Description at this URI, or redirect from there"
    en {
        what "The Source Description is available at `/.well-known/resourcesync` on the host."
        why "A harvester that knows only the host name requests this URI and no other."
        fix "Serve the Source Description at this URI, or redirect from it to the Source Description."
    }
    ja {
        message "`{uri}` からソース記述を取得できない"
        help "この URI でソース記述を公開するか、この URI からリダイレクトしてください"
        what "ソース記述は、ホストの `/.well-known/resourcesync` で公開します。"
        why "ホスト名しか知らないハーベスタは、この URI だけを確認します。"
        fix "この URI でソース記述を返すか、ソース記述の URI にリダイレクトします。"
    }
    wrong ""
    right ""
}
