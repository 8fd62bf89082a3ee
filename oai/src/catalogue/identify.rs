//! Rules about the response to `Identify`.

use super::rule::rule;

rule! {
    OAI_10 "OAI-10" "identify-element", Must stated Error, "§4.2"
    message "`Identify` has no `{element}`"
    help "add the element to the response to `Identify`"
    en {
        what "`Identify` has `repositoryName`, `baseURL`, `protocolVersion`, `adminEmail`, `earliestDatestamp`, `deletedRecord` and `granularity`."
        why "Harvesters depend on them: the dates they may send, whether deletions are reported, and the contact."
        fix "Fill in the settings of the OAI-PMH interface."
    }
    ja {
        message "`Identify` に `{element}` がない"
        help "`Identify` の応答に要素を追加してください"
        what "`Identify` には `repositoryName`、`baseURL`、`protocolVersion`、`adminEmail`、`earliestDatestamp`、`deletedRecord`、`granularity` が必要です。"
        why "ハーベスタは、送信できる日付、削除の通知の有無、連絡先をこれらから判断します。"
        fix "OAI-PMH インタフェースの設定を補います。"
    }
}

rule! {
    OAI_11 "OAI-11" "granularity", Must stated Error, "§4.2"
    message "`granularity` is `{value}`"
    help "write YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ"
    en {
        what "`granularity` is `YYYY-MM-DD` or `YYYY-MM-DDThh:mm:ssZ`, in exactly these letters."
        why "It defines the granularity of dates in requests. If it is misspelt, harvesters use days and read more \
            than necessary."
        fix "Choose the form that the datestamps of records have."
    }
    ja {
        message "`granularity` の値が `{value}`"
        help "YYYY-MM-DD または YYYY-MM-DDThh:mm:ssZ を記載してください"
        what "`granularity` は `YYYY-MM-DD` または `YYYY-MM-DDThh:mm:ssZ` で、大文字と小文字も含めこの表記に限ります。"
        why "要求に使える日付の細かさを示します。表記が異なると、ハーベスタは日単位で要求し、必要以上に読み取ることになります。"
        fix "レコードの datestamp と同じ形式を記載します。"
    }
}

rule! {
    OAI_12 "OAI-12" "protocol-version", Must stated Error, "§4.2"
    message "`protocolVersion` is `{value}`, not `2.0`"
    help "write 2.0"
    en {
        what "`protocolVersion` is `2.0`."
        why "Harvesters for OAI-PMH 2.0 may reject a repository of another version."
        fix "Write `2.0`; if the software implements an older protocol, update it."
    }
    ja {
        message "`protocolVersion` が `2.0` ではなく `{value}`"
        help "2.0 を記載してください"
        what "`protocolVersion` は `2.0` です。"
        why "OAI-PMH 2.0 のハーベスタは、ほかのバージョンのリポジトリを拒否することがあります。"
        fix "`2.0` を記載します。古いプロトコルを実装したソフトウェアは更新します。"
    }
}

rule! {
    OAI_13 "OAI-13" "base-url", Must derived Warning, "§4.2"
    message "`baseURL` is `{value}`, and `{sent}` was requested"
    help "write the URL at which harvesters reach the interface"
    en {
        what "`baseURL` is the URL to which requests are sent."
        why "Services that register repositories use it. A host name behind the firewall, or http where there is https, leads them astray."
        fix "Set the public base URL in the configuration, and check it after moving to https or to another host."
    }
    ja {
        message "`baseURL` が `{value}`（要求先は `{sent}`）"
        help "ハーベスタが実際に使う URL を記載してください"
        what "`baseURL` は要求の送信先の URL です。"
        why "リポジトリの登録サービスはこの値を使います。内部のホスト名や、https への移行後も http のままの値では到達できません。"
        fix "公開用のベース URL を設定します。https への移行やホストの変更の後に確認します。"
    }
}

rule! {
    OAI_14 "OAI-14" "earliest-datestamp", Must stated Error, "§4.2"
    message "`earliestDatestamp` is `{value}`"
    help "write a datestamp that no record precedes, in the declared granularity"
    en {
        what "`earliestDatestamp` is a lower limit of all datestamps, in the declared granularity."
        why "Harvesters that request a list by intervals begin there. They miss what is older, or begin nowhere."
        fix "Write the datestamp of the oldest record, or a day that is certainly earlier."
    }
    ja {
        message "`earliestDatestamp` の値が `{value}`"
        help "最も古いレコードの datestamp 以前の日時を、宣言した粒度で記載してください"
        what "`earliestDatestamp` はすべての datestamp の下限で、宣言した粒度で記載します。"
        why "リストを期間に分けて要求するハーベスタは、ここから始めます。これより古いレコードは収集されません。"
        fix "最も古いレコードの datestamp、または確実にそれ以前の日を記載します。"
    }
}

rule! {
    OAI_15 "OAI-15" "deleted-record", Must stated Error, "§2.5.1, §4.2"
    message "`deletedRecord` is `{value}`"
    help "write no, transient or persistent"
    en {
        what "`deletedRecord` is `no`, `transient` or `persistent`."
        why "It says whether a harvester learns of deletions. Where it is unclear, it has to compare complete lists."
        fix "Write `persistent` if deleted records stay listed permanently, `transient` if temporarily, otherwise \
            `no`."
    }
    ja {
        message "`deletedRecord` の値が `{value}`"
        help "no、transient、persistent のいずれかを記載してください"
        what "`deletedRecord` は `no`、`transient`、`persistent` のいずれかです。"
        why "削除が通知されるかどうかを示します。不明な場合、ハーベスタは全件のリストを比較するしかありません。"
        fix "削除されたレコードをずっと示すなら `persistent`、一定期間だけなら `transient`、示さないなら `no` を記載します。"
    }
}

rule! {
    OAI_16 "OAI-16" "compression", Should stated Info, "§3.1.3, §4.2"
    message "the content coding `{coding}`: {problem}"
    help "list the content codings that responses may have in `compression`, and no others"
    en {
        what "A repository that compresses responses names the content codings in `compression` of `Identify`."
        why "Compressed lists are several times smaller. Harvesters that choose their codings by `Identify` do without, or request one that is never used."
        fix "Write `<compression>gzip</compression>` where the web server compresses responses, and remove codings that it does not use."
    }
    ja {
        message "コンテンツ符号化 `{coding}`: {problem}"
        help "応答に使うコンテンツ符号化だけを `compression` に記載してください"
        what "応答を圧縮するリポジトリは、使用する符号化を `Identify` の `compression` で示します。"
        why "圧縮した応答は数分の一の大きさになります。`Identify` を見て符号化を選ぶハーベスタは、圧縮を使わないか、使われない符号化を要求します。"
        fix "Web サーバが応答を圧縮する場合は `<compression>gzip</compression>` を記載し、使わない符号化は取り除きます。"
    }
    wrong "GET ?verb=Identify\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"Identify\">http://a.example/oai</request><Identify><repositoryName>A</repositoryName><baseURL>http://a.example/oai</baseURL><protocolVersion>2.0</protocolVersion><adminEmail>admin@a.example</adminEmail><earliestDatestamp>2020-01-01T00:00:00Z</earliestDatestamp><deletedRecord>no</deletedRecord><granularity>YYYY-MM-DDThh:mm:ssZ</granularity></Identify></OAI-PMH>\n\nGET ?verb=ListIdentifiers&metadataPrefix=oai_dc\nContent-Encoding: gzip\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListIdentifiers\" metadataPrefix=\"oai_dc\">http://a.example/oai</request><ListIdentifiers><header><identifier>oai:a.example:1</identifier><datestamp>2024-01-01T00:00:00Z</datestamp></header></ListIdentifiers></OAI-PMH>"
    right "GET ?verb=Identify\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"Identify\">http://a.example/oai</request><Identify><repositoryName>A</repositoryName><baseURL>http://a.example/oai</baseURL><protocolVersion>2.0</protocolVersion><adminEmail>admin@a.example</adminEmail><earliestDatestamp>2020-01-01T00:00:00Z</earliestDatestamp><deletedRecord>no</deletedRecord><granularity>YYYY-MM-DDThh:mm:ssZ</granularity><compression>gzip</compression></Identify></OAI-PMH>\n\nGET ?verb=ListIdentifiers&metadataPrefix=oai_dc\nContent-Encoding: gzip\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListIdentifiers\" metadataPrefix=\"oai_dc\">http://a.example/oai</request><ListIdentifiers><header><identifier>oai:a.example:1</identifier><datestamp>2024-01-01T00:00:00Z</datestamp></header></ListIdentifiers></OAI-PMH>"
}

rule! {
    OAI_17 "OAI-17" "admin-email", Must stated Error, "§4.2"
    message "`adminEmail` is `{value}`"
    help "write an e-mail address that somebody reads"
    en {
        what "`adminEmail` is the e-mail address of an administrator of the repository."
        why "Harvesters report damaged records and overload to this address. Without one, problems stay unknown to the repository."
        fix "Set the address in the configuration, and remove placeholders of the installation."
    }
    ja {
        message "`adminEmail` の値が `{value}`"
        help "実際に読まれるメールアドレスを記載してください"
        what "`adminEmail` はリポジトリの管理者のメールアドレスです。"
        why "ハーベスタは、破損したレコードや過負荷をこのアドレスに連絡します。アドレスがないと、問題がリポジトリに伝わりません。"
        fix "設定でアドレスを指定し、インストール時の仮の値を取り除きます。"
    }
    wrong "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"Identify\">http://a.example/oai</request><Identify><repositoryName>A</repositoryName><baseURL>http://a.example/oai</baseURL><protocolVersion>2.0</protocolVersion><adminEmail>admin at a.example</adminEmail><earliestDatestamp>2020-01-01</earliestDatestamp><deletedRecord>no</deletedRecord><granularity>YYYY-MM-DD</granularity></Identify></OAI-PMH>"
    right "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"Identify\">http://a.example/oai</request><Identify><repositoryName>A</repositoryName><baseURL>http://a.example/oai</baseURL><protocolVersion>2.0</protocolVersion><adminEmail>admin@a.example</adminEmail><earliestDatestamp>2020-01-01</earliestDatestamp><deletedRecord>no</deletedRecord><granularity>YYYY-MM-DD</granularity></Identify></OAI-PMH>"
}

rule! {
    OAI_18 "OAI-18" "before-earliest", MustNot stated Error, "§4.2"
    message "the datestamp `{value}` is before `earliestDatestamp`"
    help "set `earliestDatestamp` to the datestamp of the oldest record"
    en {
        what "No record has a datestamp before `earliestDatestamp`."
        why "Harvesters that begin at `earliestDatestamp` never see the record."
        fix "Compute `earliestDatestamp` from the records, or set it to a day that is certainly earlier."
    }
    ja {
        message "datestamp `{value}` が `earliestDatestamp` より前"
        help "`earliestDatestamp` を最も古いレコードの datestamp に合わせてください"
        what "`earliestDatestamp` より前の datestamp を持つレコードはありません。"
        why "`earliestDatestamp` から収集を始めるハーベスタは、このレコードを見つけられません。"
        fix "`earliestDatestamp` をレコードから計算するか、確実にそれ以前の日を設定します。"
    }
}

rule! {
    OAI_20 "OAI-20" "empty-list", Must stated Error, "§4.3, §4.5, §4.6"
    message "`{verb}` lists nothing"
    help "send the error noRecordsMatch, or noSetHierarchy for ListSets"
    en {
        what "A list has at least one item; where there is none, the response is the error `noRecordsMatch` or `noSetHierarchy`."
        why "An empty list may also be a defect. Harvesters cannot tell the two apart."
        fix "Send the error."
    }
    ja {
        message "`{verb}` のリストが空"
        help "エラー noRecordsMatch、ListSets では noSetHierarchy を返してください"
        what "リストには 1 件以上の項目があります。該当がない場合の応答は、エラー `noRecordsMatch` または `noSetHierarchy` です。"
        why "空のリストは不具合の可能性もあり、ハーベスタには区別できません。"
        fix "エラーを返します。"
    }
    wrong "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListRecords\">http://a.example/oai</request><ListRecords/></OAI-PMH>"
    right "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListRecords\">http://a.example/oai</request><error code=\"noRecordsMatch\"/></OAI-PMH>"
}
