// The detail of one finding: its position, why it matters, how to fix it, the requirement.

import { h, prose, uri, visible } from "../element.js";
import { leaveFinding } from "../history.js";
import { icon } from "../icon.js";
import { copy, type Page } from "../page.js";
import type { Diagnostic, Report } from "../state.js";
import { ROLES } from "../words/roles.js";
import { ruleOf, type Rule } from "../rules.js";
import { badge } from "./code-frame.js";
import { example } from "./example.js";
import { said } from "./finding.js";
import { fileOf } from "./given.js";
import { origin } from "./origin.js";
import { SourcePlace } from "./source-place.js";
import { ticket } from "./ticket.js";

/** Builds the pane; on a wide page the first finding is open initially. */
export function detail(page: Page, report: Report): HTMLElement {
  const words = page.words();
  const top = h("div", {});
  const source = new SourcePlace(page, report);
  const rest = h("div", {});
  const body = h("div", { class: "detail-body" }, top, source.root, rest);
  const root = h("section", { class: "pane detail", "aria-labelledby": "detail-head" },
    h("div", { class: "detail-head" },
      h("h2", { id: "detail-head" }, words.say("detailHead")),
      h("button", { class: "quiet back", type: "button", on: { click: () => {
        leaveFinding(() => page.store.set({ detail: false }));
      } } }, words.say("back"))),
    body);
  const draw = () => {
    const { selected } = page.store.state;
    const found = selected === null ? undefined : report.diagnostics[selected];
    const hadFocus = top.contains(document.activeElement) || rest.contains(document.activeElement);
    if (found && selected !== null) {
      const { message, help } = said(page, report, selected);
      top.replaceChildren(...what(page, report, selected, message));
      source.show(found);
      rest.replaceChildren(...about(page, report, found, help, source));
    } else {
      top.replaceChildren(h("p", { class: "dim" }, words.say("detailEmpty")));
      source.clear();
      rest.replaceChildren();
    }
    root.scrollTop = 0;
    // The messages are translated while the detail is read.
    if (hadFocus) top.querySelector<HTMLElement>("h3")?.focus({ preventScroll: true });
  };
  draw();
  page.store.watch(root, (state, before) => {
    if (state.selected !== before.selected || state.translated !== before.translated) draw();
    // Moves the focus back to the list that was covered.
    if (before.detail && !state.detail && root.offsetParent === null) document.querySelector<HTMLElement>(".finding[aria-current=true]")?.focus();
  });
  return root;
}

function what(page: Page, report: Report, at: number, message: string): Node[] {
  const words = page.words();
  const found = report.diagnostics[at];
  if (!found) return [];
  const take = h("button", { class: "link small ticket", type: "button", on: { click: () => void copy(page, ticket(page, report, at), take) } }, words.say("ticketCopy"));
  return [
    h("h3", { tabindex: -1 }, ...prose(message)),
    h("p", { class: "badges" }, badge(page, found.severity), h("a", { class: "code", href: `#/rules/${found.code}` }, visible(found.code)),
      h("span", { class: "dim", translate: "no" }, visible(found.rule)),
      h("span", { class: "actions" }, take, h("button", { class: "link small", type: "button", on: { click: () =>
        page.store.filter({ muted: new Set([...page.store.state.filters.muted, found.code]) }) } }, words.say("mute")))),
    h("p", { class: "origin dim" }, origin(page, found)),
  ];
}

function about(page: Page, report: Report, found: Diagnostic, help: string, source: SourcePlace): Node[] {
  const words = page.words();
  const more = h("div", { class: "of-rule" }, h("p", { class: "dim" }, words.say("loading")));
  ruleOf(found.code, words.lang).then(
    (rule) => more.replaceChildren(...(rule ? ofRule(page, found, rule) : [])),
    (error: Error) => more.replaceChildren(h("p", { class: "dim" }, error.message)));
  return [
    where(page, report, found, source),
    help && h("div", { class: "here" }, h("h4", {}, words.say("hereHead")), h("p", {}, ...prose(help))),
    more,
  ].filter((node): node is HTMLElement => Boolean(node));
}

function where(page: Page, report: Report, found: Diagnostic, source: SourcePlace): HTMLElement {
  const words = page.words();
  const rows: [string, Node | string][] = [[words.say("input"), uri(report.inputs[found.input]?.name ?? "?")]];
  const start = found.span?.start;
  if (start) rows.push([words.say("whereHead"), words.say("place", { line: start.line, column: start.column })]);
  if (found.entry) {
    rows.push([words.say("byEntry"), h("span", {}, words.number(found.entry.index), found.entry.loc ? " " : "", found.entry.loc ? uri(found.entry.loc) : "")]);
  }
  if (found.path) rows.push([words.say("path"), uri(found.path, "uri mono")]);
  for (const related of found.related) {
    const input = related.input === found.input ? "" : ` · ${visible(report.inputs[related.input]?.name ?? "?")}`;
    const place = `${words.say("place", { line: related.span.start.line, column: related.span.start.column })}${input}`;
    const leads = fileOf(report, page.store.state, related.input) !== undefined;
    rows.push([role(page, related.role), leads
      ? h("button", { class: "link", type: "button", on: { click: () => source.lead(related.input, related.span) } }, place) : place]);
  }
  return h("dl", { class: "where" }, ...rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

function role(page: Page, role: string): string {
  const word = ROLES[role];
  return word ? page.words().say(word) : visible(role);
}

function ofRule(page: Page, found: Diagnostic, rule: Rule): Node[] {
  const words = page.words();
  return [
    h("h4", {}, words.say("whatHead")), h("p", {}, ...prose(rule.what)),
    h("h4", {}, words.say("whyHead")), h("p", {}, ...prose(rule.why)),
    h("h4", {}, words.say("fixHead")), h("p", {}, ...prose(rule.fix)),
    ...(rule.wrong && rule.right ? [h("h4", {}, words.say("exampleHead")), example(page, rule.wrong, rule.right)] : []),
    h("p", {}, h("a", { href: `#/rules/${found.code}` }, words.say("openRule"), icon("next"))),
  ];
}
