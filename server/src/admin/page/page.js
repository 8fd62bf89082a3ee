// The administration page: reads /admin/v1 and shows it. What it shows is text, never markup.
"use strict";

const TEXTS = {
  en: {
    title: "ResourceSync hub", refresh: "Refresh", token: "Token of the administration", open: "Open", topics: "Topics",
    failing: "Failing subscriptions", deadLetters: "Dead letters", subscriptions: "Subscriptions", more: "Next page", cancel: "Cancel", replay: "Replay",
    pending: "Pending verifications", storeBytes: "Store", version: "Version", topic: "Topic", last: "Last payload", payloads: "Stored",
    undelivered: "Oldest undelivered", state: "State", callback: "Callback", lease: "Lease until", position: "Position", waiting: "Waiting",
    failures: "Attempts", since: "Failing since", retryAt: "Next attempt", status: "Last status", at: "Given up", range: "Payloads", reason: "Reason",
    signed: "Signed", yes: "yes", no: "no", paused: "paused", active: "active", removed: "not configured", none: "None.", action: "Action",
    asOf: "As of {0}", ago: "{0} ago", ahead: "in {0}", question: "Deliver the payloads from number {0} on to {1} again?",
    unconfirmed: "Unconfirmed requests", lastAt: "Last", code: "Code", pausedTopics: "Paused topics", limitedHosts: "Limited hosts", liftedHosts: "Hosts with a lifted limit",
    done: "Subscriptions that receive stored payloads again: {0}.", refused: "The hub answered {0}: {1}", unreachable: "The hub could not be reached.",
    wrongToken: "The token was rejected.",
    "given-up": "every attempt failed", rejected: "rejected by the subscriber", expired: "removed by retention", gone: "the callback is gone",
    denied: "denied by the operator", "lease-over": "the lease ended", unsubscribed: "unsubscribed",
  },
  ja: {
    title: "ResourceSync ハブ", refresh: "更新", token: "管理用トークン", open: "開く", topics: "トピック",
    failing: "配信に失敗している購読", deadLetters: "デッドレター（配信不能）", subscriptions: "購読", more: "次のページ", cancel: "キャンセル", replay: "再配信",
    pending: "確認待ち", storeBytes: "ストア", version: "バージョン", topic: "トピック", last: "最新のペイロード", payloads: "保存数",
    undelivered: "最も古い未配信", state: "状態", callback: "コールバック", lease: "リース期限", position: "処理位置", waiting: "待機中",
    failures: "試行回数", since: "失敗の開始", retryAt: "次の試行", status: "直近のステータス", at: "断念した時刻", range: "ペイロード", reason: "理由",
    signed: "署名", yes: "あり", no: "なし", paused: "一時停止中", active: "稼働中", removed: "設定になし", none: "ありません。", action: "操作",
    asOf: "{0} 現在", ago: "{0}前", ahead: "{0}後", question: "{1} に、{0} 番以降のペイロードをもう一度配信しますか。",
    unconfirmed: "確認されなかった要求", lastAt: "最終", code: "コード", pausedTopics: "一時停止中のトピック", limitedHosts: "制限中のホスト", liftedHosts: "制限を解除したホスト",
    done: "{0} 件の購読に再配信します。", refused: "ハブの応答は {0} でした: {1}", unreachable: "ハブに接続できませんでした。",
    wrongToken: "トークンが正しくありません。",
    "given-up": "すべての試行が失敗", rejected: "購読者が拒否", expired: "保存期間を超過", gone: "コールバックが廃止（410）",
    denied: "運用者が拒否", "lease-over": "リースの終了", unsubscribed: "購読の解除",
  },
};
const UNITS = { en: ["s", "min", "h", "d"], ja: ["秒", "分", "時間", "日"] };
const PAGE = 1000;

let language = navigator.language.startsWith("ja") ? "ja" : "en";
let token = "";
let after = 0;
let shown = null;

const find = (id) => document.getElementById(id);
const say = (name, ...values) => values.reduce((text, value, at) => text.replace(`{${at}}`, () => value), TEXTS[language][name] ?? name);

/** An element with text or elements in it. */
function make(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** The time until or since a moment, in its largest unit. */
function distance(moment) {
  const seconds = Math.round(Math.abs(Date.now() - Date.parse(moment)) / 1000);
  const [size, unit] = [[86400, 3], [3600, 2], [60, 1], [1, 0]].find(([size]) => seconds >= size * 2) ?? [1, 0];
  const text = `${Math.floor(seconds / size)} ${UNITS[language][unit]}`;
  return say(Date.parse(moment) > Date.now() ? "ahead" : "ago", text);
}

/** A moment as it was sent, and its distance. */
function when(moment) {
  if (!moment) return null;
  const written = make("time", { dateTime: moment }, moment.replace("T", " ").replace(/\.\d+Z$/, "Z"));
  return make("span", {}, written, " ", make("small", {}, `(${distance(moment)})`));
}

const size = (bytes) => (bytes < 1 << 20 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / (1 << 20)).toFixed(1)} MiB`);

/** A table; a column has a name, a property of the row or a function of it, and a class. The roles survive styles that turn rows into cards. */
function table(place, heading, columns, rows) {
  if (rows.length === 0) return find(place).replaceChildren(make("p", { className: "none" }, say("none")));
  const heads = columns.map(([name, , kind]) => make("th", { role: "columnheader", scope: "col", className: kind ?? "" }, say(name)));
  const lines = rows.map((row) => make("tr", { role: "row" }, ...columns.map(([name, value, kind]) => {
    const cell = make("td", { role: "cell", className: kind ?? "" }, (typeof value === "string" ? row[value] : value(row)) ?? "–");
    cell.dataset.label = say(name);
    return cell;
  })));
  const element = make("table", { role: "table" }, make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, ...heads)), make("tbody", { role: "rowgroup" }, ...lines));
  element.setAttribute("aria-labelledby", heading);
  find(place).replaceChildren(element);
}

function replayButton(subscription, callback, from) {
  const button = make("button", { type: "button", onclick: () => replay(subscription, callback, from) }, say("replay"));
  button.setAttribute("aria-label", `${say("replay")}: ${callback}, ${from}`);
  return button;
}

function show() {
  document.documentElement.lang = language;
  document.title = say("title");
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = say(element.dataset.text);
  const other = language === "en" ? ["ja", "日本語"] : ["en", "English"];
  [find("language").lang, find("language").textContent] = other;
  if (shown === null) return;
  const { status, topics, failures, subscriptions, at } = shown;
  find("state").textContent = say("asOf", at.toLocaleTimeString(language));
  const hosts = ["limitedHosts", "liftedHosts"].filter((name) => status[name].length > 0).map((name) => [name, status[name].join(", ")]);
  const numbers = [["topics", status.topics], ["subscriptions", status.subscriptions], ["pending", status.pending], ["deadLetters", status.deadLetters], ["pausedTopics", status.paused], ...hosts, ["storeBytes", size(status.storeBytes)], ["version", status.version]];
  find("numbers").replaceChildren(...numbers.map(([name, value]) => make("div", {}, make("dt", {}, say(name)), make("dd", {}, value))));
  const state = ({ paused, configured }) => (!configured ? make("span", { className: "bad" }, say("removed")) : paused ? make("span", { className: "bad" }, say("paused")) : say("active"));
  table("topics", "topics-heading", [
    ["topic", "uri"], ["state", state], ["last", "last", "number"], ["payloads", "payloads", "number"],
    ["subscriptions", "subscriptions", "number"], ["undelivered", (row) => when(row.undeliveredSince)],
  ], topics.topics);
  table("failing", "failing-heading", [
    ["callback", "callback"], ["topic", "topic"], ["failures", "failures", "number"], ["status", "lastStatus", "number"],
    ["since", (row) => when(row.failingSince)], ["retryAt", (row) => when(row.retryAt)], ["waiting", "waiting", "number"],
  ], failures.failing);
  table("dead", "dead-heading", [
    ["at", (row) => when(row.at)], ["callback", "callback"], ["topic", "topic"], ["range", (row) => (row.first === row.last ? row.first : `${row.first}–${row.last}`)],
    ["reason", (row) => say(row.reason)], ["status", "status", "number"], ["action", (row) => replayButton(row.subscription, row.callback, row.first)],
  ], failures.deadLetters);
  table("unconfirmed", "unconfirmed-heading", [
    ["lastAt", (row) => when(row.at)], ["callback", "callback"], ["topic", "topic"], ["code", "code"], ["reason", "reason"],
  ], failures.unconfirmed);
  table("subscriptions", "subscriptions-heading", [
    ["callback", "callback"], ["topic", "topic"], ["signed", (row) => say(row.signed ? "yes" : "no")], ["lease", (row) => when(row.leaseUntil)],
    ["position", "position", "number"], ["waiting", "waiting", "number"],
  ], subscriptions.subscriptions);
  find("more").hidden = subscriptions.subscriptions.length < PAGE && after === 0;
}

async function call(path, order) {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  if (order) headers["Content-Type"] = "application/json";
  const answer = await fetch(`admin/v1/${path}`, { method: order ? "POST" : "GET", headers, ...(order && { body: JSON.stringify(order) }) }).catch(() => {
    throw new Error(say("unreachable"));
  });
  if (answer.status === 401) {
    find("access").hidden = false;
    find("content").hidden = true;
    shown = null;
    throw new Error(token ? say("wrongToken") : "");
  }
  if (!answer.ok) throw new Error(say("refused", answer.status, (await answer.text()).trim()));
  return answer.json();
}

/** Does something, and shows why it failed. */
async function attempt(action) {
  try {
    find("message").textContent = "";
    await action();
  } catch (error) {
    find("message").textContent = error.message;
  }
}

async function refresh() {
  const [status, topics, failures, subscriptions] = await Promise.all(["status", "topics", "failures", `subscriptions?after=${after}`].map((path) => call(path)));
  shown = { status, topics, failures, subscriptions, at: new Date() };
  find("access").hidden = true;
  find("content").hidden = false;
  show();
}

function replay(subscription, callback, from) {
  const dialog = find("confirm");
  find("question").textContent = say("question", from, callback);
  dialog.returnValue = "";
  dialog.onclose = () => dialog.returnValue === "replay" && attempt(async () => {
    const { done } = await call("replay", { target: { subscription }, from });
    await refresh();
    find("state").textContent = say("done", done);
  });
  dialog.showModal();
}

find("refresh").onclick = () => attempt(refresh);
find("more").onclick = () => {
  const { subscriptions } = shown.subscriptions;
  after = subscriptions.length < PAGE ? 0 : subscriptions.at(-1).id;
  attempt(refresh);
};
find("language").onclick = () => {
  language = language === "en" ? "ja" : "en";
  show();
};
find("access").onsubmit = (event) => {
  event.preventDefault();
  token = find("token").value;
  find("token").value = "";
  attempt(refresh);
};
show();
attempt(refresh);
