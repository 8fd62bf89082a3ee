//! Rules about records, their headers and sets.

use super::rule::rule;

rule! {
    OAI_30 "OAI-30" "outside-interval", Must stated Error, "§2.7.1"
    message "the datestamp `{value}` is outside the interval that was requested"
    help "list only records whose datestamp is between `from` and `until`"
    en {
        what "`from` and `until` select records by their datestamps."
        why "If they are ignored, each harvest reads everything again."
        fix "Filter by the datestamp that the header shows, both ends included."
    }
    ja {
        message "datestamp `{value}` が要求した期間の外"
        help "datestamp が `from` から `until` までのレコードだけを返してください"
        what "`from` と `until` は datestamp でレコードを選択します。"
        why "無視されると、収集のたびに全件を読み取ることになります。"
        fix "ヘッダに示す datestamp で、両端を含めて絞り込みます。"
    }
}

rule! {
    OAI_31 "OAI-31" "not-found-by-date", Must stated Error, "§2.7.1"
    message "`{identifier}` is not listed with `from` and `until` equal to its datestamp `{value}`"
    help "include both ends of the interval, and compare with the datestamp in the header"
    en {
        what "`from` and `until` include the days or seconds that they name."
        why "Harvests by date miss this record. A harvest that is split into intervals misses every record at an end of one."
        fix "Compare with `>=` and `<=`. Where dates have days, `until` covers the whole day. Remove fractions of seconds before comparing, and compare in UTC."
    }
    ja {
        message "`from` と `until` を datestamp `{value}` に合わせても `{identifier}` がリストにない"
        help "期間の両端を含め、ヘッダの datestamp と比較してください"
        what "`from` と `until` は、指定した日または秒自体を含みます。"
        why "日付による収集ではこのレコードが漏れます。期間を分けて収集すると、期間の端にあるレコードがすべて漏れます。"
        fix "`>=` と `<=` で比較します。日単位の `until` はその日の終わりまでを含めます。秒の小数部を取り除き、UTC で比較します。"
    }
    wrong "GET ?verb=ListIdentifiers&metadataPrefix=oai_dc&from=2024-01-01&until=2024-01-01\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListIdentifiers\" metadataPrefix=\"oai_dc\" from=\"2024-01-01\" until=\"2024-01-01\">http://a.example/oai</request><error code=\"noRecordsMatch\"/></OAI-PMH>"
    right "GET ?verb=ListIdentifiers&metadataPrefix=oai_dc&from=2024-01-01&until=2024-01-01\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListIdentifiers\" metadataPrefix=\"oai_dc\" from=\"2024-01-01\" until=\"2024-01-01\">http://a.example/oai</request><ListIdentifiers><header><identifier>oai:a.example:1</identifier><datestamp>2024-01-01T00:00:00Z</datestamp><setSpec>a:b</setSpec></header></ListIdentifiers></OAI-PMH>"
}

rule! {
    OAI_32 "OAI-32" "datestamp", Must stated Error, "§3.3"
    message "the datestamp is `{value}`"
    help "write YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ in UTC"
    en {
        what "Datestamps are in UTC, as `YYYY-MM-DD` or `YYYY-MM-DDThh:mm:ssZ`, in the declared granularity."
        why "A harvester cannot determine when the record was changed, and may read it repeatedly, or never."
        fix "Write datestamps in UTC and without fractions of seconds."
    }
    ja {
        message "datestamp の値が `{value}`"
        help "UTC で YYYY-MM-DD または YYYY-MM-DDThh:mm:ssZ の形式で記載してください"
        what "datestamp は UTC で、宣言した粒度に従い `YYYY-MM-DD` または `YYYY-MM-DDThh:mm:ssZ` の形式で記載します。"
        why "いつ変更されたか判断できず、同じレコードを何度も読み取るか、まったく読み取らないおそれがあります。"
        fix "UTC で、秒の小数部を付けずに記載します。"
    }
    wrong "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListIdentifiers\">http://a.example/oai</request><ListIdentifiers><header><identifier>oai:a.example:1</identifier><datestamp>2025-06-01 12:00</datestamp></header></ListIdentifiers></OAI-PMH>"
    right "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListIdentifiers\">http://a.example/oai</request><ListIdentifiers><header><identifier>oai:a.example:1</identifier><datestamp>2025-06-01T12:00:00Z</datestamp></header></ListIdentifiers></OAI-PMH>"
}

rule! {
    OAI_33 "OAI-33" "outside-set", Must stated Error, "§2.7.2"
    message "the record is not in the set `{set}`"
    help "list only records whose header names the set or one of its subsets"
    en {
        what "`set` selects the records of a set and of its subsets. Their headers name the set."
        why "A harvester of the set receives records of others. It does not store them, and cannot rely on the list."
        fix "Filter by the sets that the header shows, and write all of them into the header."
    }
    ja {
        message "レコードがセット `{set}` に属していない"
        help "ヘッダがそのセットまたは下位セットを示すレコードだけを返してください"
        what "`set` はセットとその下位セットのレコードを選択します。ヘッダはセットを示します。"
        why "別のセットのレコードが混ざっています。ハーベスタはこれを保存せず、リストも完全とはみなしません。"
        fix "ヘッダに示すセットで絞り込み、属するセットをすべてヘッダに記載します。"
    }
}

rule! {
    OAI_34 "OAI-34" "subset-missing", Must derived Error, "§2.6, §2.7.2"
    message "`{identifier}` in the set `{subset}` is not in the list of the set `{set}`"
    help "list the records of all subsets of a set"
    en {
        what "A record of the set `a:b` also belongs to the set `a`."
        why "A harvester of the set misses the records of its subsets."
        fix "Filter by the set and by everything that begins with the set and a colon."
    }
    ja {
        message "セット `{subset}` の `{identifier}` がセット `{set}` のリストにない"
        help "セットのリストに、すべての下位セットのレコードを含めてください"
        what "セット `a:b` のレコードは、セット `a` にも属します。"
        why "セットを収集しても、下位セットのレコードが漏れます。"
        fix "セットと、セットにコロンを付けた文字列で始まるものすべてを選択します。"
    }
    wrong "GET ?verb=ListIdentifiers&metadataPrefix=oai_dc&set=a\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListIdentifiers\" metadataPrefix=\"oai_dc\" set=\"a\">http://a.example/oai</request><ListIdentifiers><header><identifier>oai:a.example:101</identifier><datestamp>2024-06-01T12:00:00Z</datestamp><setSpec>a</setSpec></header></ListIdentifiers></OAI-PMH>"
    right "GET ?verb=ListIdentifiers&metadataPrefix=oai_dc&set=a\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListIdentifiers\" metadataPrefix=\"oai_dc\" set=\"a\">http://a.example/oai</request><ListIdentifiers><header><identifier>oai:a.example:1</identifier><datestamp>2024-01-01T00:00:00Z</datestamp><setSpec>a:b</setSpec></header><header><identifier>oai:a.example:101</identifier><datestamp>2024-06-01T12:00:00Z</datestamp><setSpec>a</setSpec></header></ListIdentifiers></OAI-PMH>"
}

rule! {
    OAI_35 "OAI-35" "set-spec", Must stated Error, "§2.6"
    message "the set `{set}` is not listed by `ListSets`"
    help "list every set that can be requested or that a header names"
    en {
        what "`ListSets` lists all sets, with their subsets."
        why "A harvester that looks for sets in the list does not find this one."
        fix "Add the set to the list, or remove it from the headers. Check the spelling: set names are case-sensitive."
    }
    ja {
        message "セット `{set}` が `ListSets` にない"
        help "要求できるセットと、ヘッダに現れるセットをすべて列挙してください"
        what "`ListSets` は下位セットも含め、すべてのセットを列挙します。"
        why "リストからセットを探すハーベスタは、このセットを見つけられません。"
        fix "リストに追加するか、ヘッダから取り除きます。大文字と小文字の違いも確認します。"
    }
}

rule! {
    OAI_36 "OAI-36" "day-rejected", Must stated Error, "§3.3"
    message "a date of day granularity (`{value}`) is answered with `{response}`"
    help "accept YYYY-MM-DD whatever the granularity"
    en {
        what "Every repository accepts dates of day granularity, also one that declares seconds."
        why "Harvesters that use days, because all repositories understand them, cannot harvest by date."
        fix "Read `YYYY-MM-DD` in `from` as the first second of the day, and in `until` as the last one."
    }
    ja {
        message "日単位の日付（`{value}`）への応答が `{response}`"
        help "粒度にかかわらず YYYY-MM-DD を受け付けてください"
        what "秒の粒度を宣言するリポジトリを含め、すべてのリポジトリは日単位の日付を受け付けます。"
        why "どのリポジトリでも使える日単位で要求するハーベスタは、日付を指定した収集ができません。"
        fix "`from` の `YYYY-MM-DD` はその日の最初の秒、`until` では最後の秒として扱います。"
    }
    wrong "GET ?verb=ListIdentifiers&metadataPrefix=oai_dc&from=2024-01-01&until=2024-01-01\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request>http://a.example/oai</request><error code=\"badArgument\"/></OAI-PMH>"
    right "GET ?verb=ListIdentifiers&metadataPrefix=oai_dc&from=2024-01-01&until=2024-01-01\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListIdentifiers\" metadataPrefix=\"oai_dc\" from=\"2024-01-01\" until=\"2024-01-01\">http://a.example/oai</request><ListIdentifiers><header><identifier>oai:a.example:1</identifier><datestamp>2024-01-01T00:00:00Z</datestamp><setSpec>a:b</setSpec></header></ListIdentifiers></OAI-PMH>"
}

rule! {
    OAI_37 "OAI-37" "responses-disagree", Must derived Error, "§2.5, §4"
    message "`{identifier}`: {problem}"
    help "answer all requests from the same data"
    en {
        what "The header of a record is the same in `ListIdentifiers`, `ListRecords` and `GetRecord`."
        why "Harvesters choose one of these requests, and reach different copies of the repository."
        fix "Rebuild the index from which lists are answered, and check which items it lacks or keeps too long."
    }
    ja {
        message "`{identifier}`: {problem}"
        help "すべての要求に同じデータから応答してください"
        what "レコードのヘッダは `ListIdentifiers`、`ListRecords`、`GetRecord` で同じです。"
        why "どの要求を使うかはハーベスタによって異なるため、収集結果がハーベスタごとに違ってしまいます。"
        fix "リストの生成に使うインデックスを再構築し、欠けているアイテムと残り続けているアイテムを調べます。"
    }
    wrong "GET ?verb=GetRecord&identifier=oai%3Aa.example%3A1&metadataPrefix=oai_dc\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"GetRecord\" identifier=\"oai:a.example:1\" metadataPrefix=\"oai_dc\">http://a.example/oai</request><GetRecord><record><header><identifier>oai:a.example:1</identifier><datestamp>2025-12-31T00:00:00Z</datestamp><setSpec>a:b</setSpec></header><metadata><oai_dc:dc xmlns:oai_dc=\"http://www.openarchives.org/OAI/2.0/oai_dc/\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:schemaLocation=\"http://www.openarchives.org/OAI/2.0/oai_dc/ http://www.openarchives.org/OAI/2.0/oai_dc.xsd\"/></metadata></record></GetRecord></OAI-PMH>"
    right "GET ?verb=GetRecord&identifier=oai%3Aa.example%3A1&metadataPrefix=oai_dc\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"GetRecord\" identifier=\"oai:a.example:1\" metadataPrefix=\"oai_dc\">http://a.example/oai</request><GetRecord><record><header><identifier>oai:a.example:1</identifier><datestamp>2024-01-01T00:00:00Z</datestamp><setSpec>a:b</setSpec></header><metadata><oai_dc:dc xmlns:oai_dc=\"http://www.openarchives.org/OAI/2.0/oai_dc/\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:schemaLocation=\"http://www.openarchives.org/OAI/2.0/oai_dc/ http://www.openarchives.org/OAI/2.0/oai_dc.xsd\"/></metadata></record></GetRecord></OAI-PMH>"
}

rule! {
    OAI_38 "OAI-38" "unannounced-deletion", MustNot stated Error, "§2.5.1"
    message "a record is deleted, and `deletedRecord` is `no`"
    help "declare transient or persistent"
    en {
        what "A repository that declares `no` lists no deleted records."
        why "Harvesters that rely on it compare complete lists, or keep deleted records."
        fix "Declare `persistent` if deleted records stay listed, otherwise `transient`."
    }
    ja {
        message "`deletedRecord` が `no` なのに削除されたレコードがある"
        help "transient または persistent と宣言してください"
        what "`no` と宣言したリポジトリは、削除されたレコードを示しません。"
        why "宣言を信じるハーベスタは、全件のリストを比較するか、削除されたレコードを残したままにします。"
        fix "削除されたレコードをずっと示すなら `persistent`、そうでなければ `transient` と宣言します。"
    }
}

rule! {
    OAI_39 "OAI-39" "deleted-with-metadata", MustNot stated Error, "§2.5.1"
    message "a deleted record has metadata"
    help "send only the header of a deleted record"
    en {
        what "A deleted record has a header with `status=\"deleted\"`, and neither `metadata` nor `about`."
        why "A harvester cannot determine whether the record exists. This one treats it as deleted."
        fix "Remove the metadata, or the status."
    }
    ja {
        message "削除されたレコードにメタデータがある"
        help "削除されたレコードではヘッダだけを返してください"
        what "削除されたレコードは `status=\"deleted\"` の付いたヘッダだけを持ち、`metadata` も `about` もありません。"
        why "レコードがあるのかどうか判断できません。このハーベスタは削除されたものとして扱います。"
        fix "メタデータまたは status を取り除きます。"
    }
    wrong "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListRecords\">http://a.example/oai</request><ListRecords><record><header status=\"deleted\"><identifier>oai:a.example:1</identifier><datestamp>2025-06-01</datestamp></header><metadata><title>T</title></metadata></record></ListRecords></OAI-PMH>"
    right "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListRecords\">http://a.example/oai</request><ListRecords><record><header status=\"deleted\"><identifier>oai:a.example:1</identifier><datestamp>2025-06-01</datestamp></header></record></ListRecords></OAI-PMH>"
}

rule! {
    OAI_40 "OAI-40" "no-oai-dc", Must stated Error, "§2.5"
    message "the format `oai_dc` is not offered"
    help "offer oai_dc next to the other formats"
    en {
        what "Every repository offers unqualified Dublin Core under the prefix `oai_dc`."
        why "It is the only format that every harvester understands."
        fix "Enable the format, or map the metadata to Dublin Core."
    }
    ja {
        message "メタデータ形式 `oai_dc` が提供されていない"
        help "ほかの形式に加えて oai_dc を提供してください"
        what "リポジトリは必ず、接頭辞 `oai_dc` でシンプル Dublin Core を提供します。"
        why "すべてのハーベスタが理解できる唯一の形式です。"
        fix "形式を有効にするか、メタデータを Dublin Core に対応付けます。"
    }
}

rule! {
    OAI_41 "OAI-41" "metadata-format", Must stated Error, "§4.4"
    message "the metadata format `{prefix}`: {problem}"
    help "write `metadataPrefix`, `schema` and `metadataNamespace` of every format"
    en {
        what "Each `metadataFormat` has a prefix, the URL of its schema, and its namespace. A prefix consists of letters, digits and -_.!~*'()."
        why "Harvesters recognize a format by its namespace, and request it by its prefix."
        fix "Complete the description of the format in the configuration, or remove the format."
    }
    ja {
        message "メタデータ形式 `{prefix}`: {problem}"
        help "すべての形式の `metadataPrefix`、`schema`、`metadataNamespace` を記載してください"
        what "`metadataFormat` は接頭辞、スキーマの URL、名前空間を示します。接頭辞に使えるのは英数字と -_.!~*'() です。"
        why "ハーベスタは名前空間で形式を識別し、接頭辞で要求します。"
        fix "設定で形式の記述を補うか、その形式を取り除きます。"
    }
    wrong "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListMetadataFormats\">http://a.example/oai</request><ListMetadataFormats><metadataFormat><metadataPrefix>oai_dc</metadataPrefix><schema>http://www.openarchives.org/OAI/2.0/oai_dc.xsd</schema><metadataNamespace>http://www.openarchives.org/OAI/2.0/oai_dc/</metadataNamespace></metadataFormat><metadataFormat><metadataPrefix>my format</metadataPrefix><schema>http://a.example/my.xsd</schema><metadataNamespace>http://a.example/my/</metadataNamespace></metadataFormat></ListMetadataFormats></OAI-PMH>"
    right "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListMetadataFormats\">http://a.example/oai</request><ListMetadataFormats><metadataFormat><metadataPrefix>oai_dc</metadataPrefix><schema>http://www.openarchives.org/OAI/2.0/oai_dc.xsd</schema><metadataNamespace>http://www.openarchives.org/OAI/2.0/oai_dc/</metadataNamespace></metadataFormat><metadataFormat><metadataPrefix>my_format</metadataPrefix><schema>http://a.example/my.xsd</schema><metadataNamespace>http://a.example/my/</metadataNamespace></metadataFormat></ListMetadataFormats></OAI-PMH>"
}

rule! {
    OAI_42 "OAI-42" "record-part", Must stated Error, "§2.5"
    message "the record has no `{part}`"
    help "write header, identifier and datestamp, and the metadata of a record that is not deleted"
    en {
        what "A record has a `header` with `identifier` and `datestamp`, and `metadata` unless it is deleted."
        why "Without an identifier it cannot be stored; without metadata there is nothing to store."
        fix "Find out why the part is missing, often an item without title or without permission to be shown. Leave such items out of the list, or list them as deleted."
    }
    ja {
        message "レコードに `{part}` がない"
        help "ヘッダ、識別子、datestamp と、削除されていないレコードのメタデータを記載してください"
        what "レコードには `identifier` と `datestamp` を含む `header` があり、削除されていなければ `metadata` もあります。"
        why "識別子がなければ保存できず、メタデータがなければ保存するものがありません。"
        fix "欠けている原因を調べます。タイトルのないアイテムや非公開のアイテムが多くみられます。そのようなアイテムはリストから除くか、削除されたものとして示します。"
    }
    wrong "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListRecords\">http://a.example/oai</request><ListRecords><record><header><identifier>oai:a.example:1</identifier><datestamp>2025-06-01</datestamp></header></record></ListRecords></OAI-PMH>"
    right "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListRecords\">http://a.example/oai</request><ListRecords><record><header status=\"deleted\"><identifier>oai:a.example:1</identifier><datestamp>2025-06-01</datestamp></header></record></ListRecords></OAI-PMH>"
}

rule! {
    OAI_43 "OAI-43" "metadata-root", Must derived Warning, "§2.5, §3.4"
    message "the root of `metadata`: {problem}"
    help "write the namespace that `ListMetadataFormats` declares, and `xsi:schemaLocation`, on the root of the metadata"
    en {
        what "The root of the metadata is in the namespace of its format, and names the schema in `xsi:schemaLocation`."
        why "Tools that select elements by namespace find none. Without `xsi:schemaLocation` the metadata cannot be validated by itself."
        fix "Declare on the root exactly the namespace of `ListMetadataFormats`. A slash at the end and the version in it count."
    }
    ja {
        message "`metadata` のルート要素: {problem}"
        help "メタデータのルート要素に、`ListMetadataFormats` の示す名前空間と `xsi:schemaLocation` を記載してください"
        what "メタデータのルート要素は形式の名前空間に属し、`xsi:schemaLocation` でスキーマを示します。"
        why "要素を名前空間で選ぶツールは何も見つけられません。`xsi:schemaLocation` がないと、メタデータを単独で検証できません。"
        fix "ルート要素で、`ListMetadataFormats` と完全に同じ名前空間を宣言します。末尾のスラッシュやバージョンの違いにも注意します。"
    }
    wrong "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListRecords\" metadataPrefix=\"oai_dc\">http://a.example/oai</request><ListRecords><record><header><identifier>oai:a.example:1</identifier><datestamp>2025-06-01</datestamp></header><metadata><oai_dc:dc xmlns:oai_dc=\"http://purl.org/dc/elements/1.1/\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:schemaLocation=\"http://www.openarchives.org/OAI/2.0/oai_dc/ http://www.openarchives.org/OAI/2.0/oai_dc.xsd\"/></metadata></record></ListRecords></OAI-PMH>"
    right "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListRecords\" metadataPrefix=\"oai_dc\">http://a.example/oai</request><ListRecords><record><header><identifier>oai:a.example:1</identifier><datestamp>2025-06-01</datestamp></header><metadata><oai_dc:dc xmlns:oai_dc=\"http://www.openarchives.org/OAI/2.0/oai_dc/\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:schemaLocation=\"http://www.openarchives.org/OAI/2.0/oai_dc/ http://www.openarchives.org/OAI/2.0/oai_dc.xsd\"/></metadata></record></ListRecords></OAI-PMH>"
}

rule! {
    OAI_44 "OAI-44" "other-record", Must stated Error, "§4.1"
    message "`{identifier}` was requested, and `{value}` was sent"
    help "send the record that was requested, or the error idDoesNotExist"
    en {
        what "`GetRecord` returns the record with the identifier that was requested."
        why "The requested record is not returned; the returned one would be stored under a wrong identifier."
        fix "Compare identifiers exactly, including case and encoding. Caches must not ignore the query of a URL."
    }
    ja {
        message "`{identifier}` を要求したが `{value}` が返った"
        help "要求されたレコード、またはエラー idDoesNotExist を返してください"
        what "`GetRecord` は要求された識別子のレコードを返します。"
        why "要求したレコードを取得できず、返ったレコードは誤った識別子で保存されかねません。"
        fix "識別子は大文字と小文字、エンコーディングも含めて比較します。URL のクエリを無視するキャッシュを使わないようにします。"
    }
}

rule! {
    OAI_45 "OAI-45" "identifier-not-a-uri", Must stated Error, "§2.4"
    message "the identifier `{value}` is not a URI: {problem}"
    help "write identifiers with a scheme, such as oai:repository.example:1"
    en {
        what "The unique identifier of an item is a URI."
        why "Identifiers of several repositories coincide, and services that store them as URIs reject the records."
        fix "Use the scheme `oai` with the domain name of the repository, or the URI that the item has anyway, such as a DOI or a handle. Percent-encode other characters."
    }
    ja {
        message "識別子 `{value}` が URI ではない（{problem}）"
        help "oai:repository.example:1 のように、スキームの付いた識別子を記載してください"
        what "アイテムの一意識別子は URI です。"
        why "複数のリポジトリの識別子が衝突します。識別子を URI として保存するサービスは、レコードを拒否します。"
        fix "スキーム `oai` とリポジトリのドメイン名を使うか、DOI やハンドルなどアイテムの URI を使います。使えない文字はパーセントエンコードします。"
    }
    wrong "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListIdentifiers\">http://a.example/oai</request><ListIdentifiers><header><identifier>item 1</identifier><datestamp>2025-06-01</datestamp></header></ListIdentifiers></OAI-PMH>"
    right "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListIdentifiers\">http://a.example/oai</request><ListIdentifiers><header><identifier>oai:a.example:1</identifier><datestamp>2025-06-01</datestamp></header></ListIdentifiers></OAI-PMH>"
}

rule! {
    OAI_46 "OAI-46" "repeated-identifier", Beyond stated Info, ""
    message "records that were delivered again in one list: {count}"
    help "nothing has to be done if records change during a harvest"
    en {
        what "A record may come again in a later page; the last one counts."
        why "A few are normal if records change during a harvest. Many indicate that pages overlap."
        fix "If it happens on a quiet repository, sort the list by a unique key, so that pages do not overlap."
    }
    ja {
        message "1 個のリストで {count} 件のレコードが重複"
        help "収集中にレコードが変更された場合は、対応は不要です"
        what "レコードは後のページに再び現れることがあり、最後のものが有効です。"
        why "収集中の変更による少数の重複は正常です。多い場合はページが重なっています。"
        fix "更新のない時間にも起きる場合は、ページが重ならないよう一意のキーでリストを並べ替えます。"
    }
}

rule! {
    OAI_47 "OAI-47" "no-set-spec", Must derived Warning, "§2.5"
    message "{count} of {total} headers in a list of the set `{set}` have no `setSpec`"
    help "write the sets of an item into its header"
    en {
        what "A header names the sets of its item."
        why "A harvester of a set cannot determine whether such a record belongs to it. It stores the record."
        fix "Write a `setSpec` for each set of the item into the header, also in lists that are requested by set."
    }
    ja {
        message "セット `{set}` のリストのヘッダ {total} 件のうち {count} 件に `setSpec` がない"
        help "アイテムが属するセットをヘッダに記載してください"
        what "ヘッダは、アイテムが属するセットを示します。"
        why "セットを収集するハーベスタは、レコードがそのセットに属するかどうか判断できません。レコードは保存します。"
        fix "セットを指定したリストでも、アイテムが属するセットごとに `setSpec` をヘッダに記載します。"
    }
}
