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
    OAI_46 "OAI-46" "repeated-identifier", Beyond stated Info, ""
    message "{count} records were delivered again in one list"
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
