// Texts for files that are no ResourceSync documents, and for hosts that pages may not read.

import type { Entry } from "./index.js";

export const GUIDE = {
  corsHead: ["The browser was not allowed to read this host", "ブラウザがこのホストを読み取れません"],
  corsText: [
    "The server answered, but it does not allow other web pages to read its documents (CORS). This says nothing about the documents: {hosts}",
    "サーバは応答しましたが、ほかの Web ページによる文書の読み取り（CORS）を許可していません。文書に問題があるとは限りません: {hosts}",
  ],
  corsCommand: ["The command is not bound by this. Its report can be dropped here:", "コマンドにはこの制限がありません。出力したレポートは、ここにドロップすると表示されます:"],
  corsServer: [
    "To allow it, the administrator of the server sends this header with all documents of the Source. They are public, so this discloses nothing.",
    "許可するには、サーバの管理者が、ソースのすべての文書に次のヘッダを付けます。公開している文書なので、新たに公開される情報はありません。",
  ],
  guideValid: ["No errors were found, but this is not a ResourceSync document.", "エラーは見つかりませんでしたが、ResourceSync の文書ではありません。"],
  guideInvalid: ["Harvesters cannot use this file as it is. What it is, and how to build a Source from it:", "このままではハーベスタで利用できません。ファイルの種類とソースの作成方法は、次のとおりです。"],
  guideSitemapHead: ["This is a Sitemap, but not a ResourceSync document", "ResourceSync の文書ではなく、通常のサイトマップです"],
  guideSitemap: [
    "It lists {n} page without the metadata that harvesters need. A Source can be built from it.|It lists {n} pages without the metadata that harvesters need. A Source can be built from it.",
    "ハーベスタに必要なメタデータのない {n} 件のページが列挙されています。ここからソースを作成できます。",
  ],
  guideIndexHead: ["This is an index of Sitemaps, but not a ResourceSync document", "ResourceSync の文書ではなく、通常のサイトマップインデックスです"],
  guideIndex: ["Drop one of the Sitemaps that it lists to build a Source from it.", "列挙されているサイトマップをドロップすると、そこからソースを作成できます。"],
  guideTableHead: ["This is a table or a list of URIs, not an XML document", "XML 文書ではなく、表または URI の一覧です"],
  guideTable: ["{n} URI was found in it. A Source can be built from it.|{n} URIs were found in it. A Source can be built from them.", "{n} 件の URI が含まれています。ここからソースを作成できます。"],
  guideSheetHead: ["This is a spreadsheet", "スプレッドシートのファイルです"],
  guideSheet: ["Save the sheet with the URIs as CSV, and drop that file to build a Source from it.", "URI を含むシートを CSV 形式で保存し、そのファイルをドロップすると、ソースを作成できます。"],
  guidePackageHead: ["This ZIP file has no manifest, so it is not a package", "マニフェストのない ZIP ファイルで、パッケージではありません"],
  guidePackage: ["If it contains the documents of a Source, as the build view writes them, unpack it and drop the folder.", "ソースの文書をまとめた ZIP（作成画面の出力など）の場合は、展開してからフォルダをドロップしてください。"],
  guideCut: ["The first {n} are taken.", "先頭の {n} 件を使用します。"],
  guideColumns: ["Columns of the table", "表の列"],
  guideColumn: ["Column {name} is", "列「{name}」の内容"],
  guideStrange: ["{n} value is not a valid date, length, media type or digest, and is left out.|{n} values are not valid dates, lengths, media types or digests, and are left out.", "日時、長さ、メディアタイプ、ダイジェストとして読み取れない値が {n} 件あり、使用しません。"],
  guideLeft: ["{n} row without a URI that begins with http: or https: is left out:|{n} rows without a URI that begins with http: or https: are left out:", "http: または https: で始まる URI のない {n} 行は使用しません:"],
  guideLeftPages: ["{n} entry without a URI that begins with http: or https: is left out:|{n} entries without a URI that begins with http: or https: are left out:", "http: または https: で始まる URI のないエントリ {n} 件は使用しません:"],
  guideEmpty: ["empty", "空欄"],
  guideEncoding: ["The file is not UTF-8 and was read as {encoding}. If letters are wrong, save it again as UTF-8.", "ファイルが UTF-8 ではないため、{encoding} として読み取りました。文字化けがある場合は、UTF-8 で保存し直してください。"],
  "role.none": ["Not used", "使用しない"],
  "role.uri": ["URI", "URI"],
  "role.lastmod": ["Last modified", "最終更新日時"],
  "role.length": ["Length in bytes", "長さ（バイト）"],
  "role.type": ["Media type", "メディアタイプ"],
  "role.md5": ["MD5", "MD5"],
  "role.sha-256": ["SHA-256", "SHA-256"],
  guideBuild: ["Build a Source from it", "ここからソースを作成"],
} satisfies Record<string, Entry>;
