//! Rules about a page as XML, and about its envelope.

use super::rule::rule;

rule! {
    OAI_01 "OAI-01" "not-oai-pmh", Must stated Error, "§3.2"
    message "the response is {kind} instead of an OAI-PMH document: `{line}`"
    help "send an OAI-PMH document for every request, with an `error` element where something is wrong"
    en {
        what "Every response is an XML document whose root element is `OAI-PMH`."
        why "A harvester cannot distinguish an error page, a login page or a landing page from an empty repository, \
            so it stops."
        fix "Check the base URL. Exempt the OAI-PMH interface from logins, bot protection and page caches, and let the application report its errors as OAI-PMH errors."
    }
    ja {
        message "応答が OAI-PMH 文書ではなく {kind}（`{line}`）"
        help "エラーの場合も `error` 要素を含む OAI-PMH 文書を返してください"
        what "応答は常に、ルート要素が `OAI-PMH` の XML 文書です。"
        why "ハーベスタは、エラーページやログインページを、該当するレコードがない応答と区別できません。収集はここで止まります。"
        fix "ベース URL を確認します。OAI-PMH インタフェースをログイン、ボット対策、ページキャッシュの対象から外し、アプリケーションのエラーは OAI-PMH のエラーとして返します。"
    }
}

rule! {
    OAI_02 "OAI-02" "oai-namespace", Must stated Error, "§3.2"
    message "the root element is in the namespace `{namespace}`"
    help "declare xmlns=\"http://www.openarchives.org/OAI/2.0/\" on the root element"
    en {
        what "The root element and everything that belongs to the protocol are in the namespace `http://www.openarchives.org/OAI/2.0/`."
        why "Harvesters that look for elements by namespace find none, and treat the list as empty."
        fix "Declare the namespace on the root element, and remove declarations inside that override it."
    }
    ja {
        message "ルート要素の名前空間が `{namespace}`"
        help "ルート要素で xmlns=\"http://www.openarchives.org/OAI/2.0/\" を宣言してください"
        what "ルート要素とプロトコルの要素は、名前空間 `http://www.openarchives.org/OAI/2.0/` に属します。"
        why "要素を名前空間で探すハーベスタは何も見つけられず、空のリストとみなします。"
        fix "ルート要素で名前空間を宣言し、内側の要素でそれを上書きする宣言を取り除きます。"
    }
    wrong "<OAI-PMH><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListSets\">http://a.example/oai</request><error code=\"noSetHierarchy\"/></OAI-PMH>"
    right "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListSets\">http://a.example/oai</request><error code=\"noSetHierarchy\"/></OAI-PMH>"
}

rule! {
    OAI_03 "OAI-03" "before-declaration", Must derived Error, "§3.2"
    message "{bytes} bytes precede the XML declaration"
    help "send the XML declaration as the very first bytes of the response"
    en {
        what "An XML declaration is at the very start of a document; nothing precedes it, not even a blank line."
        why "XML parsers reject the page. Most harvesters then lose the whole list."
        fix "Look for blank lines outside the code of templates and scripts, and for warnings that the application prints. Turn the display of warnings off."
    }
    ja {
        message "XML 宣言の前に {bytes} バイトがある"
        help "応答は XML 宣言から始めてください"
        what "XML 宣言は文書の先頭に置きます。空行も含め、その前には何も置けません。"
        why "XML パーサはページを拒否します。多くのハーベスタでは、リスト全体が失われます。"
        fix "テンプレートやスクリプトのコード外にある空行と、アプリケーションが出力する警告を調べます。警告の画面出力を無効にします。"
    }
    wrong "\n<?xml version=\"1.0\"?><OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request>http://a.example/oai</request><error code=\"badVerb\"/></OAI-PMH>"
    right "<?xml version=\"1.0\"?><OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request>http://a.example/oai</request><error code=\"badVerb\"/></OAI-PMH>"
}

rule! {
    OAI_04 "OAI-04" "damaged-record", Must derived Error, "§3.2"
    message "the page is not well-formed: {reason}"
    help "escape and clean the metadata when it is written into the page"
    en {
        what "A page is well-formed XML. Most tools reject any other page."
        why "The record at this place cannot be harvested. Reading was resumed at the next record; other harvesters lose the page, or the whole list."
        fix "Find the record in the repository, by its identifier or by its neighbours. Remove control characters, escape `&` and `<`, declare the prefixes in use. Filter what is entered, so that it does not happen again."
    }
    ja {
        message "ページが整形式ではない（{reason}）"
        help "メタデータをページに書き出すときに、エスケープと不正な文字の除去を行ってください"
        what "ページは整形式の XML です。そうでなければ、多くのツールは XML として読み取りません。"
        why "この位置のレコードは収集できません。このハーベスタは次のレコードから読み取りを再開しますが、ほかのハーベスタではページ全体、またはリスト全体が失われます。"
        fix "識別子または前後のレコードから該当するレコードを特定します。制御文字を取り除き、`&` と `<` をエスケープし、使用する接頭辞を宣言します。再発を防ぐため、入力時に文字を検査します。"
    }
    wrong "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListRecords\">http://a.example/oai</request><ListRecords><record><header><identifier>oai:a.example:1</identifier><datestamp>2025-06-01</datestamp></header><metadata><title>Research & Development</title></metadata></record></ListRecords></OAI-PMH>"
    right "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListRecords\">http://a.example/oai</request><ListRecords><record><header><identifier>oai:a.example:1</identifier><datestamp>2025-06-01</datestamp></header><metadata><title>Research &amp; Development</title></metadata></record></ListRecords></OAI-PMH>"
}

rule! {
    OAI_05 "OAI-05" "page-encoding", Must stated Error, "§3.2"
    message "the encoding is {encoding}, not UTF-8"
    help "send UTF-8, and convert what is stored in another encoding"
    en {
        what "The encoding of responses is UTF-8."
        why "A record with bytes that are not UTF-8 cannot be read. Not every harvester supports other declared \
            encodings."
        fix "Send UTF-8 and declare it. Convert old data once, rather than on each request, and check what is imported."
    }
    ja {
        message "文字エンコーディングが UTF-8 ではなく {encoding}"
        help "UTF-8 で送信し、別のエンコーディングで保存されたデータは変換してください"
        what "応答の文字エンコーディングは UTF-8 です。"
        why "UTF-8 として不正なバイトを含むレコードは読み取れません。ほかのエンコーディングは、すべてのハーベスタが対応しているわけではありません。"
        fix "UTF-8 で送信し、そのように宣言します。古いデータは要求のたびではなく一度だけ変換し、取り込み時に検査します。"
    }
}

rule! {
    OAI_06 "OAI-06" "response-date", Must stated Error, "§3.2"
    message "`responseDate` is `{value}`"
    help "write the time of the response in UTC, as 2026-01-01T00:00:00Z"
    en {
        what "`responseDate` is the time of the response in UTC to the second, as `YYYY-MM-DDThh:mm:ssZ`."
        why "The next harvest starts at this time. Without it a harvester has to guess, and may miss records."
        fix "Write the time at which the list was generated, in UTC, with `Z`."
    }
    ja {
        message "`responseDate` の値が `{value}`"
        help "応答の日時を UTC で 2026-01-01T00:00:00Z のように記載してください"
        what "`responseDate` は応答の日時を UTC の秒単位で `YYYY-MM-DDThh:mm:ssZ` の形式で示します。"
        why "次回の収集はこの日時を起点とします。欠けていると推測するしかなく、レコードが漏れるおそれがあります。"
        fix "リストを作成した日時を UTC で、末尾に `Z` を付けて記載します。"
    }
    wrong "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01 09:00</responseDate><request>http://a.example/oai</request><error code=\"badVerb\"/></OAI-PMH>"
    right "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request>http://a.example/oai</request><error code=\"badVerb\"/></OAI-PMH>"
}

rule! {
    OAI_07 "OAI-07" "request-echo", Must stated Error, "§3.2"
    message "`request` has {argument} `{value}`, and `{sent}` was sent"
    help "repeat the arguments of the request as they were sent, and the base URL as the content"
    en {
        what "`request` contains the base URL, and as attributes the arguments of the request."
        why "It identifies the request of a response. If it differs, a cache or a proxy may have sent the response \
            to another request."
        fix "Write the arguments as received. Caches must not ignore the query of a URL."
    }
    ja {
        message "`request` の {argument} が `{value}`（送信した値は `{sent}`）"
        help "`request` の属性に受け取った引数を、内容にベース URL を記載してください"
        what "`request` の内容はベース URL、属性は要求の引数です。"
        why "どの要求に対する応答かを示します。異なる場合、キャッシュやプロキシが別の要求への応答を返した可能性があります。"
        fix "受け取った引数をそのまま記載します。URL のクエリを無視するキャッシュを使わないようにします。"
    }
}

rule! {
    OAI_08 "OAI-08" "doctype", MustNot derived Error, "§3.2"
    message "the page is rejected: it has a DOCTYPE, or a reference to an entity that is not predefined"
    help "remove the DOCTYPE, and write characters instead of named entities"
    en {
        what "Pages are described by an XML Schema. They have no DOCTYPE, and no entities but `&lt;`, `&gt;`, `&amp;`, `&quot;` and `&apos;`."
        why "Entities can make a harvester read files or run out of memory, so it rejects them. Names such as \
            `&nbsp;` are defined in HTML, not in XML."
        fix "Write the characters themselves, or numeric references such as `&#160;`."
    }
    ja {
        message "DOCTYPE、または定義済みではない実体への参照があるため、ページを拒否"
        help "DOCTYPE を取り除き、実体名ではなく文字そのものを書いてください"
        what "ページは XML Schema で定義されています。DOCTYPE はなく、実体は `&lt;`、`&gt;`、`&amp;`、`&quot;`、`&apos;` だけです。"
        why "実体はファイルの読み出しやメモリの枯渇を招く攻撃に使われるため、ハーベスタは拒否します。`&nbsp;` などの名前は HTML のもので、XML にはありません。"
        fix "文字そのもの、または `&#160;` のような数値文字参照を書きます。"
    }
    wrong "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListRecords\">http://a.example/oai</request><ListRecords><record><header><identifier>oai:a.example:1</identifier><datestamp>2025-06-01</datestamp></header><metadata><title>10&nbsp;km</title></metadata></record></ListRecords></OAI-PMH>"
    right "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListRecords\">http://a.example/oai</request><ListRecords><record><header><identifier>oai:a.example:1</identifier><datestamp>2025-06-01</datestamp></header><metadata><title>10&#160;km</title></metadata></record></ListRecords></OAI-PMH>"
}

rule! {
    OAI_09 "OAI-09" "page-structure", Must stated Error, "§3.2"
    message "`{element}` is not allowed here, or an element is missing"
    help "send `responseDate`, `request`, then either the element of the verb or `error`"
    en {
        what "A page has `responseDate`, `request`, and then either one element named after the verb or `error` elements. Each element contains what the schema of the protocol allows."
        why "Misplaced elements are not found, or misinterpreted."
        fix "Validate a response against OAI-PMH.xsd, and correct the template."
    }
    ja {
        message "`{element}` をここに置けない、または要素が不足"
        help "`responseDate`、`request` の後に、`verb` と同名の要素または `error` を置いてください"
        what "ページは `responseDate`、`request` に続けて、`verb` と同名の要素 1 個、または `error` 要素を含みます。各要素の内容はプロトコルのスキーマに従います。"
        why "位置の誤った要素は見つからないか、別のものとして扱われます。"
        fix "応答を OAI-PMH.xsd で検証し、テンプレートを修正します。"
    }
    wrong "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListSets\">http://a.example/oai</request><sets/></OAI-PMH>"
    right "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\"><responseDate>2026-01-01T00:00:00Z</responseDate><request verb=\"ListSets\">http://a.example/oai</request><error code=\"noSetHierarchy\"/></OAI-PMH>"
}
