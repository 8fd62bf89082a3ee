// Words of the empty view, of a run, and of what went wrong with it.

import type { Entry } from "./index.js";

export const CHECK = {
  dropTitle: ["Drop files, a folder or a dump ZIP here", "ファイル、フォルダ、ダンプ ZIP をここにドロップ"],
  dropHint: [
    "Documents (.xml, .xml.gz), packages (.zip), whole folders, or a report made earlier (.json)",
    "文書（.xml、.xml.gz）、パッケージ（.zip）、フォルダ、以前のレポート（.json）に対応しています",
  ],
  dropNow: ["Drop to check", "ドロップすると検証を始めます"],
  dropMore: ["Drop further files to check them together with these", "ファイルを追加でドロップすると、まとめて検証し直します"],
  dropOther: ["Drop other files to check them", "別のファイルをドロップすると検証します"],
  chooseFiles: ["Choose files", "ファイルを選択"],
  chooseFolder: ["Choose a folder", "フォルダを選択"],
  pasteXml: ["Paste XML", "XML を貼り付け"],
  pasteLabel: ["A ResourceSync document as XML", "ResourceSync 文書の XML"],
  pasteCheck: ["Check this", "検証する"],
  pasteName: ["pasted.xml", "pasted.xml"],
  samplesHead: ["Try a sample", "サンプルで試す"],
  sampleValid: ["A valid Resource List", "正しいリソースリスト"],
  sampleBroken: ["A Change List with faults", "誤りのある変更リスト"],
  samplePackage: ["A dump package with a damaged digest", "ダイジェストの合わないダンプパッケージ"],
  sampleSource: ["A small whole Source", "小さなソース一式"],
  checksHead: ["What is checked", "検証の内容"],
  checks1: ["Every requirement of the standard for all fifteen kinds of documents, with line, column and remedy", "全 15 種類の文書について標準の全要件。行・列と直し方を示します"],
  checks2: ["Dump packages: structure, manifest, every length and digest", "ダンプパッケージの構造、マニフェスト、すべての長さとダイジェスト"],
  checks3: ["Several documents at once, and which linked documents are missing", "複数の文書の一括検証と、リンク先のうち提供されていない文書の一覧"],
  liveHead: ["A Source on the web", "公開中のソースを検証するには"],
  liveText: [
    "This page may not contact other hosts. The command can: it walks the whole Source and writes a report that you can drop here.",
    "このページはほかのホストに接続できません。次のコマンドはソース全体をたどってレポートを書き出します。そのレポートをここにドロップすると表示できます。",
  ],
  commandLabel: ["The same on the command line", "同じ検証をコマンドで行う"],

  wholeHead: ["Check as a whole Source", "ソース全体として検証する"],
  wholeText: [
    "The links between these documents are followed, and what they say of each other is compared, as if they were published.",
    "公開した状態を想定して文書間のリンクをたどり、互いの記述が合っているかを検証します。",
  ],
  wholeBase: ["URI of the folder they are published in", "公開先フォルダの URI"],
  wholeGo: ["Follow the links", "リンクをたどって検証"],
  wholeDone: ["Checked as a whole Source under {base}", "{base} に公開されるソース全体として検証しました"],
  wholeUndo: ["Check each by itself", "文書ごとに検証する"],
  settings: ["Settings", "設定"],
  profile: ["How strict", "判定の厳しさ"],
  profileStandard: ["As the standard says", "標準のとおり"],
  profileStrict: ["Strict: what SHOULD be, must be", "厳格（SHOULD もエラーとする）"],
  expect: ["Expected kind", "想定する文書の種類"],
  expectAny: ["Any", "指定しない"],
  fixity: ["Compute the digests inside packages", "パッケージ内のダイジェストを計算する"],
  again: ["Check again with these settings", "この設定で検証し直す"],

  runningTitle: ["Checking…", "検証しています…"],
  runningStart: ["Starting…", "準備しています…"],
  runningFile: ["{name} ({at} of {of})", "{name}（{of} 件中 {at} 件目）"],
  runningRate: ["{done} of {total}", "{done} / {total}"],
  documents: ["{n} document|{n} documents", "文書 {n} 件"],
  runningEntries: ["{n} entry|{n} entries", "エントリ {n} 件"],
  runningLeft: ["about {time} left", "残り約 {time}"],
  runningSoFar: ["Found so far", "これまでの指摘"],
  runningNone: ["nothing so far", "今のところなし"],
  cancel: ["Cancel", "中止"],

  cancelledTitle: ["Cancelled", "中止しました"],
  cancelledText: [
    "You stopped the run after {done} of {total}. What was found until then is below; the rest was not checked.",
    "{total}のうち{done}まで検証したところで中止しました。そこまでの指摘を下に示します。残りは検証していません。",
  ],
  cancelledAfter: [
    "You stopped the run after {done}. What was found until then is below; the rest was not checked.",
    "{done}を検証したところで中止しました。そこまでの指摘を下に示します。残りは検証していません。",
  ],
  runAgain: ["Run again", "もう一度検証する"],
  startOver: ["Start over", "最初からやり直す"],

  failedTitle: ["Could not check", "検証できませんでした"],
  failedRead: [
    "The browser could not read `{name}`. It may have been moved, deleted or changed since you chose it.",
    "`{name}` を読み取れませんでした。選択した後に移動・削除・変更された可能性があります。",
  ],
  failedReport: ["`{name}` is not a report of this tool: {detail}", "`{name}` はこのツールのレポートではありません: {detail}"],
  failedEngine: ["The validator could not be loaded: {detail}", "検証エンジンを読み込めませんでした: {detail}"],
  failedTrap: [
    "The validator stopped at `{name}` because of a fault of its own. Nothing is said about the file. Please report it; do not send the file if it is not public.",
    "検証エンジン自身の不具合により、`{name}` の途中で停止しました。ファイルの内容については何も判定していません。不具合をお知らせください（公開していないファイルは送らないでください）。",
  ],
  failedNothing: ["There was no file in what you dropped.", "ドロップした中にファイルがありませんでした。"],
  failedLearned: ["Found until then", "それまでの指摘"],
  failedDetail: ["Technical detail", "技術的な詳細"],

  sharedText: ["The link carried this document: `{name}`, {size}. It was checked here, in your browser.", "この文書はリンクに含まれていました: `{name}`（{size}）。検証はこのブラウザの中で行っています。"],
  sharedBroken: ["The document in this link is damaged or too large; it was not opened.", "このリンクに含まれる文書は壊れているか大きすぎるため、開きませんでした。"],
  noReportHere: [
    "This link opens a report, but a link does not hold the files. Drop them here to see it.",
    "このリンクはレポートの表示用ですが、ファイルは含まれていません。ファイルをここにドロップすると表示されます。",
  ],
} satisfies Record<string, Entry>;
