// Texts of what a Destination would do.

import type { Entry } from "./index.js";

export const OUTLOOK = {
  outlookHead: ["What would a Destination do?", "デスティネーションの処理の見込み"],
  outlookText: ["The plan of `resourcesync sync` for these files; no resource is fetched.", "このファイルに対する `resourcesync sync` の処理計画です。リソースは取得しません。"],
  outlookSince: ["Also for a copy that was in step at", "次の時点で最新だったコピーの計画も表示"],
  outlookGo: ["Show the plan", "計画を表示"],
  outlookFailed: ["The plan could not be made: {detail}", "計画を作成できませんでした: {detail}"],
  outlookFirst: ["A first run", "初回の実行"],
  outlookNext: ["A copy that was in step at {at}", "{at} の時点で最新だったコピー"],
  outlookFetch: ["It fetches {n} resource, {size} as listed.|It fetches {n} resources, {size} as listed.", "リソースを {n} 件取得します（記載されたサイズの合計 {size}）。"],
  outlookDelete: ["It deletes {n} resource.|It deletes {n} resources.", "リソースを {n} 件削除します。"],
  outlookWithheld: ["It keeps {n} resource that it would have to delete: so many deletions may be a mistake of the Source.|It keeps {n} resources that it would have to delete: so many deletions may be a mistake of the Source.",
    "削除の対象となる {n} 件を残します。削除が多く、ソースの誤りの可能性があるためです。"],
  outlookNothing: ["It has nothing to do.", "処理の対象はありません。"],
  outlookUnread: ["The lists could not be read, so it changes nothing.", "リストを読み取れないため、何も変更しません。"],
  outlookLists: ["It compares with the Resource Lists", "リソースリストと比較します"],
  outlookChanges: ["It reads only the Change Lists", "変更リストだけを読みます"],
  outlookBecause: ["{what}: {why}.", "{what}（{why}）。"],
  outlookWhich: ["Which resources", "対象のリソース"],
  outlookUpper: ["Where the Source does not show whether a resource has changed since, it counts as to be fetched.", "その時点以降の変更の有無がソースからわからないリソースは、取得の対象に含めています。"],
  "why.first-run": ["nothing is stored yet", "保存済みのリソースがない"],
  "why.documents-changed": ["its documents have changed", "文書が変わった"],
  "why.nothing-changed": ["no document has changed", "文書に変更がない"],
  "why.unfinished": ["the run before did not finish", "前回の実行が完了していない"],
  "why.requested": ["it was requested", "指定された"],
  "why.open-list-continues": ["they have all changes since", "その時点以降の変更がすべて載っている"],
  "why.open-list-rewritten": ["the open list was rewritten, and is read as a whole", "未確定のリストが書き換えられ、全体を読む"],
  "why.next-list": ["they have all changes since", "その時点以降の変更がすべて載っている"],
  "why.gap": ["changes since are in no Change List", "その時点以降の変更が変更リストにない"],
  "why.no-change-lists": ["there are no Change Lists", "変更リストがない"],
} satisfies Record<string, Entry>;
