//! Rules about OAI-PMH errors and about HTTP.

use super::rule::rule;

rule! {
    OAI_19 "OAI-19" "unrequested-coding", Must stated Error, "§3.1.3"
    message "the body has the content coding `{coding}`, and only `identity` was accepted"
    help "compress only responses to requests that accept the coding"
    en {
        what "A response has a content coding only if the request accepts it."
        why "A harvester that cannot decompress receives bytes that it cannot read."
        fix "Let the web server compress by the `Accept-Encoding` of the request, and check caches: they must store both forms (`Vary: Accept-Encoding`)."
    }
    ja {
        message "`identity` だけを受け入れる要求への応答が `{coding}` で圧縮されている"
        help "要求が受け入れる場合だけ圧縮してください"
        what "応答を圧縮できるのは、要求がその符号化を受け入れる場合だけです。"
        why "展開できないハーベスタは、応答を読み取れません。"
        fix "要求の `Accept-Encoding` に応じて圧縮するよう Web サーバを設定します。キャッシュは両方の形式を区別して保存する必要があります（`Vary: Accept-Encoding`）。"
    }
    wrong "GET ?verb=Identify\nAccept-Encoding: identity\nContent-Encoding: gzip\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"Identify\">http://a.example/oai</request><Identify><repositoryName>A</repositoryName><baseURL>http://a.example/oai</baseURL><protocolVersion>2.0</protocolVersion><adminEmail>admin@a.example</adminEmail><earliestDatestamp>2020-01-01T00:00:00Z</earliestDatestamp><deletedRecord>no</deletedRecord><granularity>YYYY-MM-DDThh:mm:ssZ</granularity></Identify></OAI-PMH>"
    right "GET ?verb=Identify\nAccept-Encoding: identity\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"Identify\">http://a.example/oai</request><Identify><repositoryName>A</repositoryName><baseURL>http://a.example/oai</baseURL><protocolVersion>2.0</protocolVersion><adminEmail>admin@a.example</adminEmail><earliestDatestamp>2020-01-01T00:00:00Z</earliestDatestamp><deletedRecord>no</deletedRecord><granularity>YYYY-MM-DDThh:mm:ssZ</granularity></Identify></OAI-PMH>"
}

rule! {
    OAI_50 "OAI-50" "error-missing", Must stated Error, "§3.6"
    message "an invalid request ({problem}) is answered with `{response}` instead of `{expected}`"
    help "check the arguments of each request, and send the error that the protocol defines"
    en {
        what "A request with an unknown verb, or with arguments that are missing, repeated, malformed or not defined, is answered with the error code of the protocol."
        why "A harvester with a mistake in its request receives something that looks like a result, and stores the wrong records or none."
        fix "Check verb, arguments and values before the request is processed. Do not ignore what you do not know."
    }
    ja {
        message "不正な要求（{problem}）への応答が `{expected}` ではなく `{response}`"
        help "要求の引数を検査し、プロトコルの定めるエラーを返してください"
        what "未知の `verb`、引数の不足、重複、形式の誤り、未定義の引数を含む要求には、プロトコルの定めるエラーコードで応答します。"
        why "誤った要求を送ったハーベスタは、正しい結果に見える応答を受け取り、誤ったレコードを保存するか、何も保存しません。"
        fix "要求を処理する前に、`verb`、引数、値を検査します。未知のものを無視しないようにします。"
    }
    wrong "GET ?verb=NoSuchVerb\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request>http://a.example/oai</request><error code=\"badArgument\"/></OAI-PMH>"
    right "GET ?verb=NoSuchVerb\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request>http://a.example/oai</request><error code=\"badVerb\"/></OAI-PMH>"
}

rule! {
    OAI_51 "OAI-51" "error-status", Must derived Warning, "§3.1.2, §3.6"
    message "an OAI-PMH error has the HTTP status {status}"
    help "send OAI-PMH errors with status 200"
    en {
        what "Errors of the protocol are reported in the document; the HTTP status is 200."
        why "Many HTTP clients discard the body of any other status, which contains the reason."
        fix "Send status 200. Keep other statuses for HTTP itself: 503 for an overloaded server, 302 for a redirect."
    }
    ja {
        message "OAI-PMH エラーの HTTP ステータスが {status}"
        help "OAI-PMH エラーはステータス 200 で返してください"
        what "プロトコルのエラーは文書で示し、HTTP ステータスは要求に応答したことを示す 200 です。"
        why "多くの HTTP クライアントは、ほかのステータスでは本文を捨てるため、理由が分からなくなります。"
        fix "ステータス 200 で返します。ほかのステータスは、過負荷の 503 やリダイレクトの 302 など HTTP の事象に限ります。"
    }
}

rule! {
    OAI_52 "OAI-52" "error-code", Must stated Error, "§3.6"
    message "the protocol has no error `{code}`"
    help "use one of the eight error codes of OAI-PMH 2.0"
    en {
        what "The codes are badArgument, badResumptionToken, badVerb, cannotDisseminateFormat, idDoesNotExist, noRecordsMatch, noMetadataFormats and noSetHierarchy."
        why "Harvesters cannot handle other codes, and stop."
        fix "Map errors to these codes. Report failures of the server as status 500 or 503."
    }
    ja {
        message "プロトコルにないエラー `{code}`"
        help "OAI-PMH 2.0 の 8 種類のエラーコードを使ってください"
        what "エラーコードは badArgument、badResumptionToken、badVerb、cannotDisseminateFormat、idDoesNotExist、noRecordsMatch、noMetadataFormats、noSetHierarchy です。"
        why "ハーベスタはほかのコードへの対処が分からず、収集を止めます。"
        fix "エラーをこれらのコードに対応付けます。サーバの障害はステータス 500 または 503 で示します。"
    }
    wrong "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request>http://a.example/oai</request><error code=\"noSuchVerb\"/></OAI-PMH>"
    right "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request>http://a.example/oai</request><error code=\"badVerb\"/></OAI-PMH>"
}

rule! {
    OAI_53 "OAI-53" "no-retry-after", Should stated Warning, "§3.1.2.2"
    message "status {status} has no `Retry-After`"
    help "add Retry-After with the number of seconds to wait"
    en {
        what "A busy server sends `Retry-After` with the time to wait."
        why "Without it a harvester waits for minutes, with exponential backoff."
        fix "Send `Retry-After` with a number of seconds, also in responses of a proxy."
    }
    ja {
        message "ステータス {status} に `Retry-After` がない"
        help "待ち時間の秒数を示す Retry-After を追加してください"
        what "過負荷のサーバは `Retry-After` で再要求までの時間を示します。"
        why "示されない場合、ハーベスタは数分単位で、回を追うごとに長く待ちます。"
        fix "`Retry-After` に秒数を記載して返します。プロキシが応答する場合は、プロキシでも設定します。"
    }
}

rule! {
    OAI_54 "OAI-54" "post", Must stated Error, "§3.1.1"
    message "a POST request is answered with {problem}, unlike GET"
    help "accept requests with both methods, and answer them alike"
    en {
        what "Requests may be sent with GET or POST, with the same arguments and the same response."
        why "Long tokens and identifiers only fit into a POST request."
        fix "Allow POST with `application/x-www-form-urlencoded` in the application, the web server and the firewall."
    }
    ja {
        message "POST への応答が GET と異なり、{problem}"
        help "両方のメソッドを受け付け、同じ応答を返してください"
        what "要求は GET でも POST でも送ることができ、引数も応答も同じです。"
        why "長いトークンや識別子は POST でしか送れません。"
        fix "アプリケーション、Web サーバ、ファイアウォールで `application/x-www-form-urlencoded` の POST を許可します。"
    }
    wrong "POST verb=Identify\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request>http://a.example/oai</request><error code=\"badVerb\"/></OAI-PMH>"
    right "POST verb=Identify\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"Identify\">http://a.example/oai</request><Identify><repositoryName>A</repositoryName><baseURL>http://a.example/oai</baseURL><protocolVersion>2.0</protocolVersion><adminEmail>admin@a.example</adminEmail><earliestDatestamp>2024-01-01T00:00:00Z</earliestDatestamp><deletedRecord>persistent</deletedRecord><granularity>YYYY-MM-DDThh:mm:ssZ</granularity></Identify></OAI-PMH>"
}

rule! {
    OAI_55 "OAI-55" "content-type", Must stated Warning, "§3.1.2.1"
    message "the Content-Type is `{value}`, not `text/xml`"
    help "send Content-Type: text/xml; charset=utf-8"
    en {
        what "The media type of responses is `text/xml`."
        why "Some clients parse the body by its media type, and treat it as HTML or plain text."
        fix "Set the header where the response is generated."
    }
    ja {
        message "Content-Type が `text/xml` ではなく `{value}`"
        help "Content-Type: text/xml; charset=utf-8 を返してください"
        what "応答のメディアタイプは `text/xml` です。"
        why "メディアタイプで本文の読み方を決めるクライアントは、HTML やテキストとして扱います。"
        fix "応答を生成する箇所でヘッダを設定します。"
    }
}

rule! {
    OAI_56 "OAI-56" "redirect", Must derived Error, "§3.1.2.2"
    message "a redirect (status {status}) that does not lead to the response"
    help "send Location with the URL and all arguments of the request"
    en {
        what "A redirect names the new URL in `Location`, with the arguments of the request."
        why "A harvester cannot follow a redirect without `Location`; if the arguments are dropped, the result is \
            badVerb."
        fix "Keep the query in the redirect rules of the web server, for example from http to https."
    }
    ja {
        message "応答に到達しないリダイレクト（ステータス {status}）"
        help "Location に、要求の引数をすべて含む URL を記載してください"
        what "リダイレクトは `Location` で、要求の引数を含む新しい URL を示します。"
        why "`Location` がなければ追跡できず、引数が失われると badVerb になります。"
        fix "http から https への転送など、Web サーバの転送規則でクエリを保持します。"
    }
}

rule! {
    OAI_57 "OAI-57" "moved", Beyond stated Info, ""
    message "the base URL has moved permanently to `{uri}`"
    help "harvest from the new URL, and correct `baseURL`"
    en {
        what "Status 301 and 308 mean that the old URL should no longer be used."
        why "The redirect may be removed one day, and until then it costs an additional request per page."
        fix "Use the new URL. In the repository, correct `baseURL` and tell the services that registered it."
    }
    ja {
        message "ベース URL が `{uri}` に恒久的に移転"
        help "新しい URL から収集し、`baseURL` を修正してください"
        what "ステータス 301 と 308 は、古い URL を今後使わないことを示します。"
        why "リダイレクトはいつか廃止され、それまでもページごとに余分な要求が必要です。"
        fix "新しい URL を使います。リポジトリでは `baseURL` を修正し、登録先のサービスに知らせます。"
    }
}

rule! {
    OAI_58 "OAI-58" "content-coding", Must derived Warning, "§3.1.3"
    message "the body is compressed with {coding}, which is not labelled or was not offered"
    help "send Content-Encoding: gzip, and compress only what was requested so"
    en {
        what "A compressed response has `Content-Encoding`, and only codings that the request offered."
        why "Most clients treat the compressed bytes as a damaged page."
        fix "Compress in the web server instead of the application, or set the header there."
    }
    ja {
        message "本文が {coding} で圧縮されているのに、`Content-Encoding` の表示がないか、要求が受け入れない符号化"
        help "Content-Encoding: gzip を返し、要求された場合だけ圧縮してください"
        what "圧縮した応答には `Content-Encoding` を付け、要求が受け入れる符号化だけを使います。"
        why "多くのクライアントは、圧縮されたバイト列を壊れたページとみなします。"
        fix "圧縮はアプリケーションではなく Web サーバに任せるか、アプリケーションでヘッダを設定します。"
    }
}
