// Texts of the panel on privacy.

import type { Entry } from "./index.js";

export const PRIVACY = {
  privacyTitle: ["Your data stays on this computer", "データは外部に送信されません"],
  privacyLead: [
    "This page reads files in your browser. It does not upload them and contacts no other host: no analytics, no external fonts, no external scripts.",
    "ファイルはブラウザの中だけで読み取ります。アップロードは行わず、ほかのホストとも通信しません。アクセス解析や、外部のフォント、スクリプトも使用しません。",
  ],
  privacyLeadUrls: [
    "This copy of the page fetches the URLs that you enter, and the documents that they link to, from their hosts. It sends these hosts no files, cookies or other data. Files that you choose are read in your browser and are not uploaded.",
    "このページは、入力された URL とそのリンク先の文書を、公開先のホストから取得します。ファイルや Cookie などのデータは送信しません。選択したファイルはブラウザの中だけで読み取り、アップロードは行いません。",
  ],
  privacyPolicyUrls: [
    "This copy of the page is served with the Content Security Policy below. It allows connections to other hosts, so that URLs can be fetched. The usual copy of the page does not.",
    "このページには、次のコンテンツセキュリティポリシーが設定されています。URL を取得できるように、ほかのホストへの接続を許可しています。通常版のページでは許可していません。",
  ],
  privacyPolicyHead: ["Enforced by your browser", "ブラウザが適用するポリシー"],
  privacyPolicy: [
    "This page is served with the Content Security Policy below. It allows connections only to the page’s own origin, also in the worker that reads your files.",
    "このページには、次のコンテンツセキュリティポリシーが設定されています。接続できるのはこのページ自身のオリジンだけで、ファイルを読み取るワーカーにも同じ制限が適用されます。",
  ],
  privacyPolicyFile: [
    "This file contains the Content Security Policy below. It allows no connections, neither in the page nor in the worker that reads your files.",
    "このファイルには、次のコンテンツセキュリティポリシーが設定されています。ページも、ファイルを読み取るワーカーも、どこにも接続できません。",
  ],
  privacyStored: [
    "If you agree after the first check, the last ones are stored in this browser, on this computer, so that a reload does not lose them. Turn this off or remove them on the start page.",
    "最初の検証の後に同意すると、再読み込みしても結果が失われないように、直近の検証結果をこのコンピュータのブラウザ内に保存します。最初の画面で、保存の停止と削除ができます。",
  ],
  privacyTry: ["Verify it yourself", "ご自身で確認する方法"],
  privacyTry1: [
    "Disconnect from the network, reload, and validate a file: everything still works.",
    "ネットワークを切断してページを再読み込みし、ファイルを検証してください。すべてそのまま動作します。",
  ],
  privacyTry2: [
    "Open the developer tools of your browser, tab “Network”, and validate a file: no request contains it.",
    "ブラウザの開発者ツールの「ネットワーク」タブを開き、ファイルを検証してください。ファイルを送信するリクエストは発生しません。",
  ],
  privacyTry3: ["Run the test below: both the page and its worker try to connect to another host.", "下のボタンを押すと、ページとワーカーの両方から外部ホストへの接続を試みます。"],
  privacyTest: ["Try to connect to another host", "外部ホストへの接続を試す"],
  privacyBlocked: ["Blocked by the browser, both in the page and in the worker.", "ページからの接続もワーカーからの接続も、ブラウザによって遮断されました。"],
  privacyUnclear: [
    "Blocked by the browser in the page. The worker reached nothing either, but this browser does not tell it why.",
    "ページからの接続は、ブラウザによって遮断されました。ワーカーからも接続できませんでしたが、このブラウザはその理由をワーカーに通知しません。",
  ],
  privacyOpen: ["Not blocked: this copy of the page is served without its security policy.", "遮断されませんでした。このページは、本来のセキュリティポリシーなしで配信されています。"],
  privacyLimit: [
    "A policy does not cover everything: a link that you click opens its address as usual. A share link contains a document only if you tick the box, and only after the `#`, a part that browsers do not send.",
    "ポリシーの対象外もあります。リンクをクリックすると、通常どおりリンク先が開きます。共有リンクに文書が含まれるのは、チェックボックスを選択した場合だけです。その場合も、文書は、ブラウザが送信しない `#` より後ろの部分に含まれます。",
  ],
} satisfies Record<string, Entry>;
