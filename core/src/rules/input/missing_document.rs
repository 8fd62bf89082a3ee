//! `missing-document`: a link to a document that does not exist.

use crate::rules::rule;

rule! {
    "missing-document" reports [INP_05]
    checks in ["source/checks/links.rs"]
    message "linked document `{uri}` not found: {reason}"
    help "publish the document at this URI, or correct or remove the link"
    en {
        what "A document that a Source links to exists at the URI of the link."
        why "A harvester that follows the link finds nothing. Everything below it, resources and their changes, does \
            not exist for the harvester."
        fix "Compare the link with the location at which the file is actually published: letter case, a missing \
            folder, `http` instead of `https`. If the document was removed on purpose, remove the entry that links to \
            it as well."
    }
    ja {
        message "リンク先の文書 `{uri}` が見つからない（{reason}）"
        help "この URI で文書を公開するか、リンクを修正または削除してください"
        what "ソースからリンクされた文書は、リンクの URI に存在しなければなりません。"
        why "リンクをたどったハーベスタは何も取得できません。その先に記述されたリソースや変更は、ハーベスタにとって\
            存在しないことになります。"
        fix "リンクと実際の公開場所を比較し、大文字と小文字、フォルダの抜け、`http` と `https` の違いなどを\
            確認します。意図的に削除した文書であれば、その文書を指すエントリも削除します。"
    }
    wrong ""
    right ""
}
