//! `not-well-known`: a Source Description that is not where everybody looks for it.

use crate::rules::rule;

rule! {
    "not-well-known" reports [DI_02]
    checks []
    message "`{uri}` does not lead to the Source Description"
    help "publish the Source Description there, or redirect from there"
    en {
        what "The Source Description is at `/.well-known/resourcesync` of the host."
        why "A harvester that knows only the name of the host asks there, and nowhere else."
        mend "Serve the Source Description at that URI, or let it redirect to where the Source Description is."
    }
    ja {
        message "`{uri}` がソース記述に通じていない"
        help "そこにソース記述を置くか、そこから転送する"
        what "ソース記述は、ホストの `/.well-known/resourcesync` に置きます。"
        why "ホスト名しか知らないハーベスタは、そこだけを確認します。"
        mend "その URI でソース記述を返すか、ソース記述の場所へ転送します。"
    }
    wrong ""
    right ""
}
