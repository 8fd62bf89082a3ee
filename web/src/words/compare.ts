// Texts of comparisons, whose views bring them.

import type { Entry } from "./index.js";

export const COMPARE = {
  compareTitle: ["What changed?", "変更点の確認"],
  compareLead: [
    "Shows which resources were created, updated and deleted, and which findings are fixed, new or still there.",
    "作成、更新、削除されたリソースと、解消した指摘、新しい指摘、残っている指摘を表示します。",
  ],
  compareFile: ["A file from before", "以前のファイル"],
  compareFileHint: ["The earlier list (all its files), a folder with the earlier Source, or a report in JSON or HTML, downloaded here or written by the command", "以前のリスト（複数ファイル可）、以前のソースのフォルダ、またはこのページかコマンドで出力したレポート（JSON、HTML）"],
  compareChoose: ["Choose files", "ファイルを選択"],
  compareFailed: ["`{name}` could not be compared: {detail}", "`{name}` とは比較できませんでした: {detail}"],
  comparedWith: ["Compared with {name}", "{name} との比較"],
  compareOrder: [
    "Reports do not contain their date. `{name}` was taken for the earlier one, since its file is not newer than the other.",
    "レポートには作成日時がないため、ファイルの更新日時から `{name}` を以前のものとしています。",
  ],
  compareSwap: ["Swap them", "入れ替える"],
  compareBefore: ["Before: {verdict} ({counts})", "比較対象: {verdict}（{counts}）"],
  compareFixed: ["{n} fixed", "解消 {n} 件"],
  compareUnchecked: ["{n} not checked again", "未検証 {n} 件"],
  "unchecked.absent": ["This report does not contain it.", "このレポートに含まれていません。"],
  "unchecked.unread": ["It was not read to its end this time.", "今回は末尾まで読み取れていません。"],
  "unchecked.kind": ["It was checked as another kind of document.", "別の種類の文書として検証しています。"],
  "unchecked.options": ["It was checked with other options.", "異なるオプションで検証しています。"],
  uncheckedFindings: ["{n} finding|{n} findings", "指摘 {n} 件"],
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
  changedHead: ["What changed in the resources since {name}", "リソースの変更点（比較対象: {name}）"],
  changedCreated: ["{n} created", "作成 {n} 件"],
  changedUpdated: ["{n} updated", "更新 {n} 件"],
  changedDeleted: ["{n} deleted", "削除 {n} 件"],
  changedSame: ["{n} unchanged", "変更なし {n} 件"],
  changedFilter: ["Show resources that were", "表示するリソース"],
  changedNothing: ["All resources are the same.", "リソースに変更はありません。"],
  changedList: ["Make a Change List", "変更リストを作成"],
  changedNoSnapshot: [
    "A Change List needs the times of both lists (`at`) and the link to the Capability List (`up`); one of them is missing.",
    "変更リストの作成には、両方のリストの日時（`at`）と機能リストへのリンク（`up`）が必要です。いずれかがありません。",
  ],
  changedSets: [
    "A Change List is that of one set, and these lists belong to several. Compare the lists of each set by themselves.",
    "変更リストは 1 つのセットを対象としますが、複数のセットのリストがあります。セットごとに比較してください。",
  ],
  changedSwapped: ["`{name}` is the older side, as the times of the lists (`at`) show.", "リストの日時（`at`）から、`{name}` を以前のものとして比較しています。"],
  changedUnordered: [
    "The lists do not show which side is older (`at`). `{name}` was taken for it: if it is the newer one, created and deleted are the other way round.",
    "リストの日時（`at`）から前後を判断できないため、`{name}` を以前のものとしています。逆の場合は、作成と削除が入れ替わります。",
  ],
  changedKinds: [
    "These are documents of different kinds, which say different things about resources: {old} and {new}.",
    "種類の異なる文書のため、リソースを比較できません（{old} と {new}）。",
  ],
  changedNone: [
    "Documents that list all resources are compared, such as Resource Lists. Here are {old} and {new}.",
    "リソースリストなど、すべてのリソースを列挙する文書を比較します。対象は {old} と {new} です。",
  ],
  changedUnread: [
    "It is unknown which resources `{name}` lists, since it cannot be read: {detail}",
    "`{name}` を読み取れないため、列挙されているリソースを確認できません: {detail}",
  ],
  changedPart: [
    "It is unknown which resources `{detail}` lists: `{name}` leads to it, but it is not among the files.",
    "`{name}` にある `{detail}` がファイルに含まれていないため、列挙されているリソースを確認できません。",
  ],
  changedTwo: ["These are two lists or folders. What changed from one to the other?", "2 つのリストまたはフォルダがあります。リソースの変更点を確認できます。"],
  changedGo: ["Show what changed", "変更点を表示"],
} satisfies Record<string, Entry>;
