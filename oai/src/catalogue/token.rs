//! Rules about tokens, and about the lists that they connect.

use super::rule::rule;

rule! {
    OAI_21 "OAI-21" "token-not-repeatable", Must stated Error, "§3.5"
    message "the same `resumptionToken`, sent again, is answered with {problem}"
    help "return the same page for a token until the next one was used"
    en {
        what "A harvester may send the most recent token again, and receives the same page again."
        why "A harvester that lost a response on the way cannot continue: it begins again, or misses a page without noticing."
        fix "Let the token describe the position in the list, instead of advancing a cursor on the server with each request."
    }
    ja {
        message "同じ `resumptionToken` の再送に対する応答が{problem}"
        help "次のトークンが使われるまで、同じトークンには同じページを返してください"
        what "ハーベスタは最後に受け取ったトークンを再び送ることができ、同じページを受け取ります。"
        why "通信の途中で応答が失われると収集を続けられず、最初からやり直すか、ページの欠落に気付きません。"
        fix "要求のたびにサーバ側のカーソルを進めるのではなく、トークンでリスト内の位置を表します。"
    }
    wrong "GET ?verb=ListRecords&resumptionToken=oai_dc///!100\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListRecords\" resumptionToken=\"oai_dc///!100\">http://a.example/oai</request><ListRecords><record><header><identifier>oai:a.example:101</identifier><datestamp>2024-01-01T00:00:00Z</datestamp></header><metadata><oai_dc:dc xmlns:oai_dc=\"http://www.openarchives.org/OAI/2.0/oai_dc/\"/></metadata></record><resumptionToken>oai_dc///!200</resumptionToken></ListRecords></OAI-PMH>\n\nGET ?verb=ListRecords&resumptionToken=oai_dc///!100\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListRecords\" resumptionToken=\"oai_dc///!100\">http://a.example/oai</request><ListRecords><record><header><identifier>oai:a.example:201</identifier><datestamp>2024-01-01T00:00:00Z</datestamp></header><metadata><oai_dc:dc xmlns:oai_dc=\"http://www.openarchives.org/OAI/2.0/oai_dc/\"/></metadata></record><resumptionToken>oai_dc///!200</resumptionToken></ListRecords></OAI-PMH>"
    right "GET ?verb=ListRecords&resumptionToken=oai_dc///!100\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListRecords\" resumptionToken=\"oai_dc///!100\">http://a.example/oai</request><ListRecords><record><header><identifier>oai:a.example:101</identifier><datestamp>2024-01-01T00:00:00Z</datestamp></header><metadata><oai_dc:dc xmlns:oai_dc=\"http://www.openarchives.org/OAI/2.0/oai_dc/\"/></metadata></record><resumptionToken>oai_dc///!200</resumptionToken></ListRecords></OAI-PMH>\n\nGET ?verb=ListRecords&resumptionToken=oai_dc///!100\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListRecords\" resumptionToken=\"oai_dc///!100\">http://a.example/oai</request><ListRecords><record><header><identifier>oai:a.example:101</identifier><datestamp>2024-01-01T00:00:00Z</datestamp></header><metadata><oai_dc:dc xmlns:oai_dc=\"http://www.openarchives.org/OAI/2.0/oai_dc/\"/></metadata></record><resumptionToken>oai_dc///!200</resumptionToken></ListRecords></OAI-PMH>"
}

rule! {
    OAI_22 "OAI-22" "token-attribute", Must stated Error, "§3.5"
    message "`{attribute}` of `resumptionToken` is `{value}`"
    help "write `cursor` and `completeListSize` as numbers, `expirationDate` as a time in UTC"
    en {
        what "`cursor` and `completeListSize` are whole numbers; `expirationDate` is a time in UTC to the second."
        why "Harvesters use them to check whether a list is complete, and whether a token is still valid."
        fix "Correct the value, or omit the attribute."
    }
    ja {
        message "`resumptionToken` の `{attribute}` の値が `{value}`"
        help "`cursor` と `completeListSize` は整数、`expirationDate` は UTC の日時で記載してください"
        what "`cursor` と `completeListSize` は整数、`expirationDate` は UTC の秒単位の日時です。"
        why "ハーベスタは、リストが揃ったかどうか、トークンがまだ有効かどうかをこれらで確かめます。"
        fix "値を修正するか、属性を省きます。"
    }
    wrong "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListSets\">http://a.example/oai</request><ListSets><set><setSpec>a</setSpec><setName>A</setName></set><resumptionToken completeListSize=\"many\">t</resumptionToken></ListSets></OAI-PMH>"
    right "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListSets\">http://a.example/oai</request><ListSets><set><setSpec>a</setSpec><setName>A</setName></set><resumptionToken completeListSize=\"300\">t</resumptionToken></ListSets></OAI-PMH>"
}

rule! {
    OAI_23 "OAI-23" "token-blanks", Must derived Warning, "§3.5"
    message "white space around the `resumptionToken`"
    help "write the token directly between the tags"
    en {
        what "The content of `resumptionToken` is the token, and nothing else."
        why "Some harvesters send the white space back, which results in badResumptionToken."
        fix "Remove line breaks and indentation from the element."
    }
    ja {
        message "`resumptionToken` の前後に空白がある"
        help "トークンはタグの間に空白を入れずに書いてください"
        what "`resumptionToken` の内容はトークンそのものです。"
        why "空白ごと送り返すハーベスタは、badResumptionToken を受け取ります。"
        fix "要素の中の改行と字下げを取り除きます。"
    }
    wrong "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListSets\">http://a.example/oai</request><ListSets><set><setSpec>a</setSpec><setName>A</setName></set><resumptionToken>\n  t\n</resumptionToken></ListSets></OAI-PMH>"
    right "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListSets\">http://a.example/oai</request><ListSets><set><setSpec>a</setSpec><setName>A</setName></set><resumptionToken>t</resumptionToken></ListSets></OAI-PMH>"
}

rule! {
    OAI_24 "OAI-24" "constant-token", Must derived Warning, "§3.5"
    message "one `resumptionToken` for pages with different content"
    help "give each page a token of its own"
    en {
        what "A token stands for the rest of a list. The same token, sent again, returns the same page."
        why "If the position is stored in a session behind one token, a lost response cannot be repeated, and its \
            page is lost."
        fix "Encode the position in the token, or store it under a separate token for each page."
    }
    ja {
        message "内容の異なるページに同じ `resumptionToken`"
        help "ページごとに異なるトークンを付けてください"
        what "トークンはリストの残りを表します。同じトークンを再び送れば、同じページが返ります。"
        why "位置を 1 個のトークンのセッションで管理していると、応答が失われたときに再要求できず、ページが欠落します。"
        fix "位置をトークンに含めるか、ページごとのトークンで管理します。"
    }
}

rule! {
    OAI_25 "OAI-25" "no-last-token", Must stated Error, "§3.5"
    message "the last page has no empty `resumptionToken`"
    help "end the last page of a list with <resumptionToken/>"
    en {
        what "The last page of a list in several pages has an empty `resumptionToken`."
        why "Without it the end of a list looks like a truncated page."
        fix "Write the empty element, with `completeListSize` and `cursor` if they are known."
    }
    ja {
        message "最後のページに空の `resumptionToken` がない"
        help "リストの最後のページを <resumptionToken/> で終えてください"
        what "複数ページのリストでは、最後のページに空の `resumptionToken` があります。"
        why "ないと、リストの終わりとページの欠損を区別できません。"
        fix "空の要素を書きます。分かる場合は `completeListSize` と `cursor` も付けます。"
    }
}

rule! {
    OAI_26 "OAI-26" "more-than-declared", Beyond stated Warning, ""
    message "{delivered} items were delivered, and `completeListSize` is {declared}"
    help "write the size of the whole list, not that of a page"
    en {
        what "`completeListSize` is the number of items of the whole list; it may be an estimate."
        why "A harvester that relies on it stops early, or treats a complete harvest as incomplete."
        fix "Count the whole list, or omit the attribute."
    }
    ja {
        message "取得した {delivered} 件に対し `completeListSize` が {declared}"
        help "1 ページではなくリスト全体の件数を記載してください"
        what "`completeListSize` はリスト全体の件数で、概数でもかまいません。"
        why "この値に頼るハーベスタは早く終了するか、正しい収集を誤りとみなします。"
        fix "リスト全体を数えるか、属性を省きます。"
    }
}

rule! {
    OAI_27 "OAI-27" "cursor", Must derived Warning, "§3.5"
    message "`cursor` is {cursor} after {delivered} items"
    help "count the items delivered before the page; the first page has cursor 0"
    en {
        what "`cursor` is the number of items delivered before this page; the first page has 0."
        why "Harvesters cannot use it to detect a missing page."
        fix "Write the number of items before the page."
    }
    ja {
        message "{delivered} 件の後の `cursor` が {cursor}"
        help "ページより前に返した件数を記載してください（最初のページは 0）"
        what "`cursor` はこのページより前に返した件数で、最初のページでは 0 です。"
        why "ページの抜けを確かめる手掛かりになりません。"
        fix "ページより前の件数を記載します。"
    }
}

rule! {
    OAI_28 "OAI-28" "small-pages", Beyond stated Info, ""
    message "a page has {count} items, and more follow"
    help "return at least 100 items per page"
    en {
        what "Pages of a few hundred records need few requests and little memory."
        why "With small pages a harvest takes many times as long, and each request repeats the same work on the server."
        fix "Raise the page size in the configuration."
    }
    ja {
        message "1 ページが {count} 件で、続きがある"
        help "1 ページに 100 件以上を返してください"
        what "1 ページに数百件あれば、要求の回数もメモリの使用量も少なくて済みます。"
        why "ページが小さいと収集に何倍もの時間がかかり、サーバでも要求のたびに同じ処理が繰り返されます。"
        fix "設定で 1 ページの件数を増やします。"
    }
    wrong "GET ?verb=ListIdentifiers&metadataPrefix=oai_dc\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListIdentifiers\" metadataPrefix=\"oai_dc\">http://a.example/oai</request><ListIdentifiers><header><identifier>oai:a.example:1</identifier><datestamp>2024-01-01T00:00:00Z</datestamp></header><resumptionToken>oai_dc///!1</resumptionToken></ListIdentifiers></OAI-PMH>"
    right "GET ?verb=ListIdentifiers&metadataPrefix=oai_dc\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListIdentifiers\" metadataPrefix=\"oai_dc\">http://a.example/oai</request><ListIdentifiers><header><identifier>oai:a.example:1</identifier><datestamp>2024-01-01T00:00:00Z</datestamp></header></ListIdentifiers></OAI-PMH>"
}

rule! {
    OAI_29 "OAI-29" "short-lived-token", Beyond stated Info, ""
    message "the token expires after {seconds} s"
    help "keep tokens valid for at least an hour"
    en {
        what "A token is valid long enough to continue a list after a pause."
        why "Harvesters wait when a server is busy, and process one page before they request the next. A token that expires meanwhile makes them begin again."
        fix "Raise the lifetime, or use tokens that describe the position in the list and never expire."
    }
    ja {
        message "トークンの有効期間が {seconds} 秒"
        help "トークンを 1 時間以上有効にしてください"
        what "トークンは、中断の後にリストの取得を続けられるだけの時間、有効です。"
        why "ハーベスタは、サーバが混雑しているときは待ち、次のページを要求する前に現在のページを処理します。その間に失効すると最初からやり直すことになります。"
        fix "有効期間を延ばすか、リスト内の位置を表す、期限のないトークンを使います。"
    }
    wrong "GET ?verb=ListIdentifiers&metadataPrefix=oai_dc\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListIdentifiers\" metadataPrefix=\"oai_dc\">http://a.example/oai</request><ListIdentifiers><header><identifier>oai:a.example:1</identifier><datestamp>2024-01-01T00:00:00Z</datestamp><setSpec>a:b</setSpec></header><resumptionToken expirationDate=\"2026-01-01T00:05:00Z\">oai_dc///!1</resumptionToken></ListIdentifiers></OAI-PMH>"
    right "GET ?verb=ListIdentifiers&metadataPrefix=oai_dc\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListIdentifiers\" metadataPrefix=\"oai_dc\">http://a.example/oai</request><ListIdentifiers><header><identifier>oai:a.example:1</identifier><datestamp>2024-01-01T00:00:00Z</datestamp><setSpec>a:b</setSpec></header><resumptionToken expirationDate=\"2026-01-01T12:00:00Z\">oai_dc///!1</resumptionToken></ListIdentifiers></OAI-PMH>"
}
