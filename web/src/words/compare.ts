// Texts of comparisons.

import type { Entry } from "./index.js";

export const COMPARE = {
  compare: ["Compare", "比較"],
  compareTitle: ["Compare with an earlier check", "以前の検証結果と比較"],
  compareLead: ["Shows which findings are fixed, which are new, and which are still there.", "解消した指摘、新しい指摘、残っている指摘を表示します。"],
  compareFile: ["A saved report", "保存したレポート"],
  compareFileHint: ["A report in JSON or HTML, downloaded here or written by the command with `--format json` or `html`", "このページでダウンロードした、またはコマンドの `--format json` または `html` で出力したレポート"],
  compareChoose: ["Choose a report", "レポートを選択"],
  compareFailed: ["`{name}` could not be compared: {detail}", "`{name}` とは比較できませんでした: {detail}"],
  comparedWith: ["Compared with {name}", "{name} との比較"],
  compareBefore: ["Before: {verdict} ({counts})", "比較対象: {verdict}（{counts}）"],
  compareFixed: ["{n} fixed", "解消 {n} 件"],
  compareNew: ["{n} new", "新規 {n} 件"],
  compareSame: ["{n} still there", "継続 {n} 件"],
  compareFilter: ["Show findings that are", "表示する指摘"],
  compareEnd: ["End the comparison", "比較を終了"],
  compareCounted: ["Rules that are only compared by count", "件数のみ比較したルール"],
  compareCountedText: [
    "One of the reports does not contain all findings of these rules, so it is unknown which of them are new. The counts are exact.",
    "一方のレポートに、これらのルールの指摘がすべては含まれていません。件数は正確ですが、どれが新しい指摘かは判定できません。",
  ],
  compareEarlier: ["Before", "以前"],
  compareNow: ["Now", "現在"],
} satisfies Record<string, Entry>;
