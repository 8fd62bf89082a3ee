// Texts of the build view.

import type { Entry } from "./index.js";

export const BUILD = {
  buildTitle: ["Build a Source", "ソースの作成"],
  buildLead: [
    "Creates a Resource List, its Capability List and a Source Description from a list of URIs or a folder of files. The result always conforms to the standard. Digests are computed in your browser; nothing is uploaded.",
    "URI の一覧またはファイルの入ったフォルダから、リソースリスト、機能リスト、ソース記述を標準に準拠した形で作成します。ダイジェストはブラウザの中で計算し、アップロードは行いません。",
  ],
  buildWhat: ["1. Resources", "1. リソース"],
  buildUris: ["One URI per line", "URI（1 行に 1 件）"],
  buildUrisHint: ["Optionally followed by a tab or space and the date and time of the last modification", "タブまたは空白に続けて、最終更新日時を指定できます"],
  buildOr: ["or", "または"],
  buildFolder: ["Folder of files", "ファイルの入ったフォルダ"],
  buildFolderHint: ["Choose or drop a folder in the form in which you will publish it", "公開する構成のまま、フォルダを選択またはドロップしてください"],
  buildFiles: ["{n} file, {size}|{n} files, {size}", "ファイル {n} 件（{size}）"],
  buildForget: ["Remove", "解除"],
  buildWhere: ["2. Publication", "2. 公開先"],
  buildBase: ["URI of the folder that contains the resources", "リソースを公開するフォルダの URI"],
  buildBaseHint: [
    "For example https://example.org/dataset/ – the documents are written for this address",
    "例: https://example.org/dataset/（文書は、このアドレスで公開するものとして作成します）",
  ],
  buildAbout: ["URI of a page about the collection (optional)", "コレクションの説明ページの URI（任意）"],
  buildAboutHint: ["Recommended by the standard: the documents link to it with describedby", "標準で推奨されている項目です。文書から describedby でリンクします"],
  buildBaseWrong: ["Enter an http or https URI that ends with a slash.", "http または https で始まり、スラッシュで終わる URI を入力してください。"],
  buildNothing: ["Enter URIs or choose a folder first.", "URI を入力するか、フォルダを選択してください。"],
  buildAlgorithms: ["Digests", "ダイジェスト"],
  buildGo: ["Build", "作成"],
  buildHashing: ["Reading {name} ({at} of {of})", "{name} を読み取っています（{at} / {of}）"],
  buildWriting: ["Writing the documents…", "文書を作成しています…"],
  buildDone: ["3. Publish these files", "3. ファイルの公開"],
  buildDoneText: [
    "Put each document at its address. All of them passed the same checks as this page runs.",
    "各文書を、表示されたアドレスに置いてください。いずれも、このページと同じルールで検証済みです。",
  ],
  buildCheck: ["Validate", "検証する"],
  buildRefused: ["Could not build the documents", "文書を作成できませんでした"],
  buildRefusedAt: ["Entry {n}: {message}", "エントリ {n}: {message}"],
  buildWellKnown: ["at the root of the host, where harvesters look for it", "ホストのルートに置くと、ハーベスタが発見できます"],
  buildDownload: ["Download", "ダウンロード"],
  buildPreview: ["Show content", "内容を表示"],
  buildLines: ["first {n} lines", "先頭の {n} 行"],
} satisfies Record<string, Entry>;
