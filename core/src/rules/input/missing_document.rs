//! `missing-document`: a link to a document that is not there.

use crate::rules::rule;

rule! {
    "missing-document" reports [INP_05]
    checks []
    message "`{uri}` is linked here and is not there: {reason}"
    help "publish the document at this URI, or correct or remove the link"
    en {
        what "A document that a Source links to has to be at the URI of the link."
        why "A harvester that follows the link finds nothing: everything that is described below it, resources and their changes \
            alike, does not exist for it."
        mend "Compare the link with the place where the file is really published: case, a missing folder, `http` for `https`. If the \
            document was removed on purpose, remove the entry that leads to it."
    }
    ja {
        message "`{uri}` へのリンクがあるが、その文書は存在しない: {reason}"
        help "この URI で文書を公開するか、リンクを訂正または削除する"
        what "ソースがリンクする文書は、リンクの URI に存在する必要があります。"
        why "ハーベスタはリンクをたどっても何も得られず、その先に記述されたリソースや変更は存在しないのと同じになります。"
        mend "リンクと実際の公開場所を比べます。大文字と小文字、抜けたフォルダ、`http` と `https` の違いなどが原因です。\
            意図して削除した文書であれば、そこへのエントリも削除します。"
    }
    wrong ""
    right ""
}
