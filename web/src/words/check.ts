// Texts of the empty view, of a run, and of its errors.

import type { Entry } from "./index.js";

export const CHECK = {
  dropTitle: ["Drop files, a folder or a dump ZIP here", "ファイル、フォルダ、ダンプの ZIP をここにドロップ"],
  dropHint: [
    "Documents (.xml, .xml.gz), packages (.zip), folders, or a saved report (.json)",
    "文書（.xml、.xml.gz）、パッケージ（.zip）、フォルダ、保存したレポート（.json）に対応",
  ],
  dropNow: ["Drop to validate", "ドロップすると検証を始めます"],
  dropMore: ["Drop more files to validate them together with these", "ファイルを追加でドロップすると、まとめて検証し直します"],
  dropOther: ["Drop other files to validate them", "別のファイルをドロップすると検証します"],
  chooseFiles: ["Choose files", "ファイルを選択"],
  chooseFolder: ["Choose a folder", "フォルダを選択"],
  pasteXml: ["Paste XML", "XML を貼り付け"],
  pasteLabel: ["A ResourceSync document as XML", "ResourceSync 文書の XML"],
  pasteCheck: ["Validate", "検証する"],
  pasteName: ["pasted.xml", "pasted.xml"],
  samplesHead: ["Samples", "サンプル"],
  sampleValid: ["See a valid Resource List", "適合するリソースリストを見る"],
  sampleBroken: ["See a report with errors", "エラーのあるレポートを見る"],
  samplePackage: ["See a dump package with a wrong digest", "ダイジェストの合わないダンプパッケージを見る"],
  sampleSource: ["See a whole Source", "ソース全体の検証結果を見る"],
  lastHead: ["Last checks", "最近の検証"],
  lastKeep: ["Keep the last 10 checks and their files in this browser", "直近 10 件の検証結果とファイルをこのブラウザに保存する"],
  lastForget: ["Forget all", "すべて削除"],
  lastForgotten: ["All checks were removed from this browser", "保存した検証結果をすべて削除しました"],
  lastMore: ["and {n} more", "ほか {n} 件"],
  checksHead: ["What is checked", "検証内容"],
  checks1: [
    "All requirements of the standard for all fifteen kinds of documents, with line, column and how to fix it",
    "全 15 種類の文書に関する標準のすべての要件（行・列と修正方法を表示）",
  ],
  checks2: ["Dump packages: structure, manifest, every length and digest", "ダンプパッケージの構造、マニフェスト、すべての長さとダイジェスト"],
  checks3: ["Several documents at once, including linked documents that are missing", "複数の文書の一括検証と、不足しているリンク先文書の一覧"],
  liveHead: ["A Source on the web", "公開中のソースの検証"],
  liveText: [
    "This page cannot contact other hosts, but the command can: it crawls the whole Source and writes a report that you can drop here.",
    "このページはほかのホストに接続できません。次のコマンドを使うと、ソース全体を検証してレポートを保存できます。レポートは、ここにドロップすると表示されます。",
  ],
  commandLabel: ["Same check on the command line", "同じ検証を行うコマンド"],

  wholeHead: ["Validate as a whole Source", "ソース全体として検証"],
  wholeText: [
    "Follows the links between these documents and checks them for consistency, as if they were published.",
    "公開した状態を想定して文書間のリンクをたどり、互いに矛盾がないかを検証します。",
  ],
  wholeBase: ["URI of the folder in which they are published", "公開先フォルダの URI"],
  wholeGo: ["Follow links", "リンクをたどって検証"],
  wholeDone: ["Validated as a whole Source under {base}", "{base} で公開されるソース全体として検証しました"],
  wholeUndo: ["Validate each document separately", "文書ごとに検証"],
  settings: ["Settings", "設定"],
  profile: ["Strictness", "判定基準"],
  profileStandard: ["Standard", "標準"],
  profileStrict: ["Strict: SHOULD as MUST", "厳格（SHOULD もエラー）"],
  expect: ["Expected kind", "想定する文書の種類"],
  expectAny: ["Any", "指定なし"],
  fixity: ["Verify digests inside packages", "パッケージ内のダイジェストを検証する"],
  again: ["Validate again with these settings", "この設定で検証し直す"],

  runningTitle: ["Validating…", "検証しています…"],
  runningStart: ["Starting…", "準備しています…"],
  runningFile: ["{name} ({at} of {of})", "{name}（{at} / {of}）"],
  runningRate: ["{done} of {total}", "{done} / {total}"],
  documents: ["{n} document|{n} documents", "文書 {n} 件"],
  runningEntries: ["{n} entry|{n} entries", "エントリ {n} 件"],
  runningLeft: ["about {time} left", "残り約 {time}"],
  runningSoFar: ["Findings so far", "これまでの指摘"],
  runningNone: ["none so far", "まだありません"],
  cancel: ["Cancel", "中止"],

  cancelledTitle: ["Cancelled", "中止しました"],
  cancelledText: [
    "You stopped the validation after {done} of {total}. The findings up to that point are below; the rest was not checked.",
    "{total}のうち、{done}を検証したところで中止しました。それまでの指摘を以下に示します。残りは検証していません。",
  ],
  cancelledAfter: [
    "You stopped the validation after {done}. The findings up to that point are below; the rest was not checked.",
    "{done}を検証したところで中止しました。それまでの指摘を以下に示します。残りは検証していません。",
  ],
  runAgain: ["Validate again", "もう一度検証する"],
  startOver: ["Start over", "最初からやり直す"],

  failedTitle: ["Could not validate", "検証できませんでした"],
  failedRead: [
    "The browser could not read `{name}`. It may have been moved, deleted or modified since you chose it.",
    "`{name}` を読み取れませんでした。選択した後に、移動、削除、変更された可能性があります。",
  ],
  failedReport: ["`{name}` is not a report of this tool: {detail}", "`{name}` はこのツールのレポートではありません: {detail}"],
  failedEngine: ["The validator could not be loaded: {detail}", "検証エンジンを読み込めませんでした: {detail}"],
  failedTrap: [
    "The validator crashed on `{name}` because of a bug. This does not mean that anything is wrong with the file. Please report it, but do not send files that are not public.",
    "検証エンジンの不具合により、`{name}` の検証が異常終了しました。ファイルに問題があるとは限りません。不具合をご報告ください（非公開のファイルは送付しないでください）。",
  ],
  failedNothing: ["There is no file to validate.", "検証するファイルがありません。"],
  failedLearned: ["Findings up to that point", "それまでの指摘"],
  failedDetail: ["Technical details", "技術的な詳細"],

  sharedText: [
    "This link contained the document `{name}` ({size}). It was validated in your browser.",
    "このリンクには文書 `{name}`（{size}）が含まれていました。検証はブラウザの中で行っています。",
  ],
  sharedBroken: ["The document in this link is corrupted or too large and was not opened.", "このリンクに含まれる文書は、破損しているか大きすぎるため、開けませんでした。"],
  noReportHere: [
    "This address refers to a report that is not stored in this browser. Drop the files here to see it.",
    "このアドレスのレポートは、このブラウザに保存されていません。ファイルをここにドロップすると表示されます。",
  ],
} satisfies Record<string, Entry>;
