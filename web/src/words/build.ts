// Words of the build view.

import type { Entry } from "./index.js";

export const BUILD = {
  buildTitle: ["Build a Source", "ソースを作成する"],
  buildLead: [
    "From a list of URIs or a folder of files: a Resource List, its Capability List and a Source Description, correct by construction. Digests are computed here; nothing is uploaded.",
    "URI の一覧またはファイルの入ったフォルダから、リソースリスト、機能リスト、ソース記述を標準に沿って作成します。ダイジェストはこのブラウザの中で計算し、アップロードは行いません。",
  ],
  buildWhat: ["1. The resources", "1. リソース"],
  buildUris: ["URIs, one a line", "URI（1 行に 1 件）"],
  buildUrisHint: ["A date and time of last change may follow, after a tab or blank", "タブまたは空白に続けて最終更新日時を書けます"],
  buildOr: ["or", "または"],
  buildFolder: ["A folder of files", "ファイルの入ったフォルダ"],
  buildFolderHint: ["Choose or drop a folder as you will publish it", "公開する内容のままフォルダを選択またはドロップしてください"],
  buildFiles: ["{n} file, {size}|{n} files, {size}", "ファイル {n} 件（{size}）"],
  buildForget: ["Take away", "取り消す"],
  buildWhere: ["2. Where they will be published", "2. 公開先"],
  buildBase: ["URI of the folder that holds the resources", "リソースを置くフォルダの URI"],
  buildBaseHint: ["As in https://example.org/dataset/ – the documents are written for this address", "例: https://example.org/dataset/（文書はこのアドレスに置くものとして作成します）"],
  buildAbout: ["A page that describes the collection (optional)", "コレクションを説明するページの URI（任意）"],
  buildAboutHint: ["The standard recommends it: the documents link to it with describedby", "標準が推奨する項目です。各文書から describedby でリンクします"],
  buildBaseWrong: ["This is not an http or https URI that ends with a slash.", "http または https で始まり、スラッシュで終わる URI を入力してください。"],
  buildNothing: ["Give URIs or a folder first.", "先に URI またはフォルダを指定してください。"],
  buildAlgorithms: ["Digests", "ダイジェスト"],
  buildGo: ["Build", "作成"],
  buildHashing: ["Reading {name} ({at} of {of})", "{name} を読み取り中（{of} 件中 {at} 件目）"],
  buildWriting: ["Writing the documents…", "文書を作成しています…"],
  buildDone: ["3. Publish these", "3. 次のファイルを公開する"],
  buildDoneText: ["Put each document at its address. They were checked with the same rules as everything here.", "それぞれの文書を示されたアドレスに置いてください。いずれもこのページと同じ規則で確認済みです。"],
  buildCheck: ["Check them", "検証して確かめる"],
  buildRefused: ["Refused", "作成できませんでした"],
  buildRefusedAt: ["Entry {n}: {message}", "エントリ {n}: {message}"],
  buildWellKnown: ["at the root of the host, so that harvesters find it", "ホストのルートに置くと、ハーベスタが発見できます"],
  buildDownload: ["Download", "ダウンロード"],
  buildPreview: ["Show", "内容を表示"],
  buildLines: ["the first {n} lines", "先頭の {n} 行"],
} satisfies Record<string, Entry>;
