//! Findings of a harvest about itself: why it is incomplete, and which workarounds it used.

use super::rule::rule;

rule! {
    OAI_60 "OAI-60" "loop", Beyond stated Warning, ""
    message "page {page} has the content of page {earlier} again: the list has no end"
    help "make the list end: send an empty resumptionToken after the last page"
    en {
        what "A list ends. A page with the content of an earlier one shows that this list does not."
        why "Some harvesters never stop. This one stops, and cannot determine whether all records were delivered."
        fix "In the repository, check that the token advances, especially at the end of the list. To harvest \
            nevertheless, request smaller intervals (--on-loop window)."
    }
    ja {
        message "ページ {page} の内容がページ {earlier} と同じ（リストが終わらない）"
        help "最後のページの後に空の resumptionToken を返し、リストを終わらせてください"
        what "リストには終わりがあります。前のページと同じ内容のページは、リストが終わらないことを示します。"
        why "終わりなく収集を続けるハーベスタもあります。このハーベスタは中止しますが、全レコードが揃ったかどうかは判断できません。"
        fix "リポジトリでは、特にリストの末尾でトークンが進むことを確認します。そのまま収集するには、期間を分けて要求します（--on-loop window）。"
    }
}

rule! {
    OAI_61 "OAI-61" "nothing-new", Beyond stated Warning, ""
    message "{pages} pages in a row without a new identifier: the harvest stopped"
    help "make the list end: send an empty resumptionToken after the last page"
    en {
        what "Pages contain new records. Several pages without any indicate that the list has no end."
        why "The harvester stops, and cannot determine whether all records were delivered."
        fix "In the repository, check that the token advances. If such pages are expected, raise the limit \
            oai_barren_pages."
    }
    ja {
        message "新しい識別子のないページが {pages} ページ続き、収集を中止"
        help "最後のページの後に空の resumptionToken を返し、リストを終わらせてください"
        what "ページには新しいレコードがあります。ないページが続く場合、リストに終わりがありません。"
        why "ハーベスタは中止し、全レコードが揃ったかどうかは判断できません。"
        fix "リポジトリでは、トークンが進むことを確認します。そのようなページが正常な場合は、上限 oai_barren_pages を引き上げます。"
    }
}

rule! {
    OAI_62 "OAI-62" "restarted", Beyond stated Warning, ""
    message "the list was requested again, from its start or by smaller intervals: {why}"
    help "keep tokens valid for at least an hour, and let them be sent again"
    en {
        what "A list is restarted if it cannot be continued, because a token was rejected or a page was lost."
        why "The repository has to send the whole list again. The harvest is complete nevertheless, if nothing else \
            is reported."
        fix "Keep tokens valid for longer, and return the same page for a repeated token."
    }
    ja {
        message "リストを最初から、または期間を分けて要求し直した（{why}）"
        help "トークンを 1 時間以上有効にし、再送に応じてください"
        what "トークンの拒否やページの喪失により続行できないリストは、要求し直します。"
        why "リポジトリには、リスト全体をもう一度送る負荷がかかります。ほかに指摘がなければ、収集は完了しています。"
        fix "トークンの有効期間を延ばし、再送されたトークンには同じページを返します。"
    }
}

rule! {
    OAI_63 "OAI-63" "cut", Beyond stated Warning, ""
    message "the list did not end: {why}"
    help "run the harvest again: it goes on where it stopped"
    en {
        what "A list is complete when its last page was read to the end, and says that it is the last one."
        why "Records are missing, or may be. Missing records are not treated as deleted, and the next harvest starts where this \
            one did."
        fix "Run the harvest again. If it stops at the same place, the repository must be fixed there: an empty \
            resumptionToken on the last page with records shows that a list ended."
    }
    ja {
        message "リストが終わらなかった（{why}）"
        help "もう一度実行すると、止まった箇所から収集を続けます"
        what "最後のページを末尾まで読み取り、それが最後であると分かったとき、リストは完了します。"
        why "レコードが欠けているか、その可能性があります。欠けているものからは何も判断せず、削除もせず、次回の収集は今回と同じ起点から始めます。"
        fix "もう一度収集します。同じ箇所で止まる場合は、リポジトリの修正が必要です。レコードのある最後のページに空の resumptionToken を付けると、リストの終わりが分かります。"
    }
}

rule! {
    OAI_64 "OAI-64" "fewer-than-declared", Beyond stated Warning, ""
    message "{distinct} different items were delivered, and `completeListSize` is {declared}"
    help "compare the number of records with that in the repository"
    en {
        what "The list ended as it should, with fewer different items than the repository declared at any point of it."
        why "Either records are missing, or the declared number is wrong. If records change while a list is read, pages \
            shift: one record comes twice and another not at all. The next harvest requests the list again."
        fix "If the number is an estimate, harvest with --tolerance. If records are missing, look for items whose \
            metadata cannot be generated."
    }
    ja {
        message "重複を除いた取得件数は {distinct} 件だが、`completeListSize` は {declared}"
        help "リポジトリの実際のレコード数と比べてください"
        what "リストは正しく終わりましたが、異なるレコードの数が、途中でリポジトリが示した件数より少なくなっています。"
        why "レコードの欠落か、示された件数の誤りです。リストの取得中にレコードが変更されるとページがずれ、重複と欠落が生じます。次回の収集でリストを要求し直します。"
        fix "概数の場合は --tolerance を付けて収集します。欠落の場合は、メタデータの生成に失敗するアイテムを調べます。"
    }
}

rule! {
    OAI_65 "OAI-65" "server-clock", Beyond stated Warning, ""
    message "`responseDate` is `{value}`, which contradicts `Date`, an earlier response, or the time here"
    help "synchronize the clocks of all servers that answer"
    en {
        what "The next harvest starts at the `responseDate` of the first page, or at the header field `Date` of its \
            response if that is earlier. A time more than a day ahead is replaced by an earlier one. After the clock \
            of a server was set back, the records before the start of the harvest are requested again, too."
        why "A harvest that starts in the future of the server misses the changes until then."
        fix "Synchronize the clock of the server, or of each server behind a load balancer, and write `responseDate` \
            in UTC."
    }
    ja {
        message "`responseDate` の値 `{value}` が `Date`、以前の応答、または現在の日時と矛盾"
        help "応答するすべてのサーバの時計を合わせてください"
        what "次回の収集は、最初のページの `responseDate` と、その応答の `Date` ヘッダのうち、早いほうを起点とします。1 日を超えて先の日時は、より早い日時に置き換えます。サーバの時計が戻された後の収集では、起点より前のレコードも要求し直します。"
        why "サーバから見て未来の日時を起点にすると、それまでの変更が漏れます。"
        fix "サーバの時計を合わせ、`responseDate` を UTC で記載します。ロードバランサの背後に複数のサーバがある場合は、そのすべての時計を合わせます。"
    }
}

rule! {
    OAI_66 "OAI-66" "too-many-missing-records", Beyond stated Error, ""
    message "{missing} of {total} records are no longer listed: nothing is deleted"
    help "check the repository; if they are really gone, run with --max-delete"
    en {
        what "Records that are no longer listed are deleted, but not very many at once."
        why "A list that is suddenly shorter is more often a defect than a deletion of so many records."
        fix "Check the repository. If the records were deleted, allow it with --max-delete N, N% or all."
    }
    ja {
        message "{total} 件中 {missing} 件がリストから消えた（削除は保留）"
        help "リポジトリを確認し、実際に削除された場合は --max-delete を付けて実行してください"
        what "リストから消えたレコードは削除しますが、一度に多数を削除することはありません。"
        why "リストが急に短くなる原因は、多数の削除よりも不具合であることが多いためです。"
        fix "リポジトリを確認します。実際に削除された場合は --max-delete に件数、割合、または all を指定します。"
    }
}

rule! {
    OAI_67 "OAI-67" "list-contradicted", Beyond stated Warning, ""
    message "`{identifier}` is not listed, and GetRecord returns it: nothing is deleted"
    help "make ListIdentifiers list every record that GetRecord returns"
    en {
        what "Before records are treated as deleted, some of them are requested individually."
        why "One of them exists, so the list is wrong, and nothing can be concluded from it."
        fix "In the repository, compare the list with the records; a stale index is the usual cause."
    }
    ja {
        message "`{identifier}` はリストにないが GetRecord で取得できる（削除は保留）"
        help "GetRecord が返すすべてのレコードを ListIdentifiers で示してください"
        what "削除とみなす前に、レコードの一部を個別に要求して確かめます。"
        why "存在するレコードがあるため、リストに誤りがあり、リストからは何も判断できません。"
        fix "リポジトリでリストとレコードを比べます。古い検索インデックスが主な原因です。"
    }
}

rule! {
    OAI_68 "OAI-68" "quarantine", Beyond stated Warning, ""
    message "damaged records: {quarantined}, more than {allowed}"
    help "report the damaged records to the repository, or allow for them with --allow-quarantine"
    en {
        what "Damaged records are quarantined with the reason. A harvest with more of them than allowed is not \
            complete."
        why "These records are not part of the harvest."
        fix "Send the list to the repository (oai list DIR --quarantined). If the intended content is certain, \
            --repair fixes them."
    }
    ja {
        message "破損したレコードが {quarantined} 件（許容は {allowed} 件）"
        help "破損したレコードをリポジトリに連絡するか、--allow-quarantine で許容してください"
        what "破損したレコードは理由とともに隔離します。許容数を超えた場合、収集は完了とみなしません。"
        why "これらのレコードは収集結果に含まれません。"
        fix "一覧（oai list DIR --quarantined）をリポジトリに送ります。意図が明らかな破損は --repair で修復できます。"
    }
}

rule! {
    OAI_69 "OAI-69" "unexpected-response", Beyond stated Warning, ""
    message "the harvest stopped: {why}"
    help "find out why before harvesting again"
    en {
        what "After an unexpected response a harvester stops until a person has checked it."
        why "Continuing could overload the server, or store something that is not a record."
        fix "Open the URL in a browser. Contact the operators of the repository, especially for status 403."
    }
    ja {
        message "収集を中止（{why}）"
        help "原因を確かめてから、もう一度収集してください"
        what "想定外の応答を受け取ったハーベスタは、人が確認するまで止まります。"
        why "続行すると、サーバに過大な負荷をかけたり、レコードではないものを保存したりするおそれがあります。"
        fix "URL をブラウザで開きます。特に 403 の場合は、リポジトリの運営者に問い合わせます。"
    }
}

rule! {
    OAI_70 "OAI-70" "owed", Beyond stated Warning, ""
    message "records that the repository still owes: {owed}; they were damaged, or listed and not delivered"
    help "report them to the repository, or allow for them with --allow-quarantine"
    en {
        what "A record that was damaged in an earlier harvest, or that is listed and was not delivered, stays owed \
            until it was delivered intact. Every harvest requests such records individually."
        why "These records, or their latest versions, are not part of the harvest."
        fix "Request one of them with `oai get`, and send the result to the repository. The proof names all of them."
    }
    ja {
        message "未取得のレコードが {owed} 件（破損しているか、リストにあるのに取得できない）"
        help "リポジトリに連絡するか、--allow-quarantine で許容してください"
        what "以前の収集で破損していたレコードや、リストにあるのに取得できなかったレコードは、正しく取得できるまで未取得として扱い、収集のたびに個別に要求します。"
        why "これらのレコード、またはその最新版は、収集結果に含まれません。"
        fix "`oai get` で 1 件を要求し、その結果をリポジトリに送ります。証跡にはすべてのレコードが記載されています。"
    }
}
