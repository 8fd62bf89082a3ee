// The timeline of a Source: changes in steps, intervals with gaps and overlaps, snapshots; as a picture and as tables.

import { h, visible } from "../element.js";
import { survey } from "../engine/survey.js";
import { after, DAY, MOST, MOST_CHANGES, seams, startOf, steps, unitFor, type Change, type Day, type Interval, type Seam, type Timeline, type Unit } from "../engine/timeline.js";
import { core } from "../engine/validator.js";
import { formatted, zoned } from "../moment.js";
import type { Page } from "../page.js";
import type { Report } from "../state.js";
import type { Word } from "../words/index.js";
import { kindOf } from "./inputs.js";

const SVG = "http://www.w3.org/2000/svg";
const CHANGES: readonly [Change, Word][] = [["created", "timeCreated"], ["updated", "timeUpdated"], ["deleted", "timeDeleted"], ["other", "timeOther"]];
/** Heights in pixels: the bars, a row of intervals or snapshots, the head of such rows. */
const BARS = 110;
const ROW = 14;
const HEAD = 18;
const UNITS: readonly Unit[] = ["day", "week", "month", "year"];
/** Between the labels of the axis. */
const GAP = 12;
/** Width of a bar. */
const WIDEST = 48;
/** Steps of the axis, rows of intervals for each kind, and rows of a table. */
const STEPS = 120;
const ROWS = 8;
const TABLE = 400;

/** Kinds of documents with an interval, a snapshot or changes. */
const TIMED = /^(change|resource)-/;

/** The section; it reads the documents when it is opened. */
export function timeline(page: Page, report: Report): HTMLElement | false {
  const words = page.words();
  const { state } = page.store;
  if (state.given.length === 0 || (state.phase.at === "done" && state.phase.opened) || !report.inputs.some(({ kind, via }) => via !== "zip" && TIMED.test(kind))) return false;
  const place = h("div", {});
  const root = h("details", { class: "timeline card" }, h("summary", {}, h("h2", {}, words.say("timeHead"))), place);
  let known: Promise<Timeline> | null = null;
  root.addEventListener("toggle", async () => {
    if (!root.open || known) return;
    place.replaceChildren(h("p", { class: "dim" }, words.say("loading")));
    try {
      const all = await (known = core().then((wasm) => survey({ task: "timeline", given: page.store.state.given, wasm })));
      draw(page, place, all);
    } catch (error) {
      known = null;
      place.replaceChildren(h("p", {}, visible(error instanceof Error ? error.message : String(error))));
    }
  });
  return root;
}

function draw(page: Page, place: HTMLElement, all: Timeline): void {
  const words = page.words();
  const times = [...all.days.flatMap(({ day }) => [day, day + DAY - 1]), ...all.intervals.flatMap(({ from, until }) => [from, until ?? from]),
    ...all.snapshots.flatMap(({ at, completed }) => [at, completed ?? at])];
  const undated = [all.undated > 0 && words.count("timeUndated", all.undated), all.undatedDocuments > 0 && words.count("timeUndatedDocuments", all.undatedDocuments)].filter((text) => text !== false);
  if (times.length === 0) return place.replaceChildren(h("p", {}, [words.say("timeNone"), ...undated].join(" · ")));
  const [from, until] = times.reduce(([low, high], time) => [Math.min(low, time), Math.max(high, time)], [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
  const unit = unitFor(until - from, STEPS);
  const bars = steps(all.days, unit);
  const between = seams(all.intervals);
  const total = all.days.reduce((sum, { counts }) => sum + sumOf(counts), 0);
  const [first, last] = [dateOf(page, from), dateOf(page, until)];
  const gaps = between.filter(({ is }) => is === "gap").length;
  const overlaps = between.length - gaps;
  const when = first === last ? first : words.say("timeSummaryNone", { from: first, until: last });
  const said = [total === 0 ? when : first === last ? words.count("timeSummaryDay", total, { day: first }) : words.say("timeSummary", { changes: total, from: first, until: last }),
    total > 0 && words.count("timeSources", all.sources), all.again > 0 && words.count("timeAgain", all.again),
    gaps > 0 && words.count("timeGaps", gaps), overlaps > 0 && words.count("timeOverlaps", overlaps), ...undated].filter(Boolean).join(" · ");
  const chart = h("div", { class: "chart" });
  const picture = () => chart.replaceChildren(svg(page, { all, bars, between, unit, from, until, width: Math.max(280, chart.clientWidth), title: said }));
  place.replaceChildren(
    h("p", { class: "dim small" }, `${said} · ${words.say("timeDays")}`),
    all.isCut && h("p", { class: "note" }, words.say("timeCut", { n: MOST, changes: MOST_CHANGES })) || "",
    legend(page, bars, between, all),
    chart, tables(page, all, bars, between, unit));
  // The picture is drawn for the width that it has.
  let width = 0;
  const resized = new ResizeObserver(() => {
    if (!chart.isConnected) return resized.disconnect();
    if (chart.clientWidth !== width) picture();
    width = chart.clientWidth;
  });
  resized.observe(place);
}

function sumOf(counts: Day["counts"]): number {
  return counts.created + counts.updated + counts.deleted + counts.other;
}

function dateOf(page: Page, time: number, unit: Unit = "day"): string {
  const style: Intl.DateTimeFormatOptions = unit === "year" ? { year: "numeric" } : unit === "month" ? { year: "numeric", month: "short" } : { year: "numeric", month: "short", day: "numeric" };
  return formatted(page, unit, { ...style, timeZone: "UTC" }, time);
}

function timeOf(page: Page, time: number): string {
  return zoned(page, time);
}

/** The classes that occur, and what they stand for. */
function legend(page: Page, bars: readonly Day[], between: readonly Seam[], all: Timeline): HTMLElement {
  const words = page.words();
  const entries: [string, Word][] = [
    ...CHANGES.filter(([change]) => bars.some(({ counts }) => counts[change] > 0)),
    ...(all.intervals.length > 0 ? [["interval", "timeIntervals"] as [string, Word]] : []),
    ...(["gap", "overlap"] as const).filter((is) => between.some((seam) => seam.is === is)).map((is): [string, Word] => [is, is === "gap" ? "timeGap" : "timeOverlap"]),
    ...(all.snapshots.length > 0 ? [["snapshot", "timeSnapshots"] as [string, Word]] : []),
  ];
  return h("ul", { class: "legend chart", "aria-hidden": "true" }, ...entries.map(([name, word]) => {
    const key = shape("svg", { viewBox: "0 0 12 12" });
    key.append(name === "snapshot" ? shape("path", { d: "M6 1l5 5-5 5-5-5z", class: name }) : shape("rect", { x: 1, y: 1, width: 10, height: 10, class: name }));
    return h("li", {}, key, words.say(word));
  }));
}

interface Picture {
  all: Timeline;
  bars: readonly Day[];
  between: readonly Seam[];
  unit: Unit;
  from: number;
  until: number;
  width: number;
  title: string;
}

function svg(page: Page, { all, bars, between, unit, from, until, width, title }: Picture): SVGElement {
  const words = page.words();
  const start = startOf(unit, from);
  const end = Math.max(after(unit, startOf(unit, until)), until);
  const [left, right] = [36, 8];
  const x = (time: number) => left + ((Math.min(Math.max(time, start), end) - start) / (end - start)) * (width - left - right);
  const root = shape("svg", { role: "img", "aria-label": title });
  let y = 8;
  if (bars.length > 0) {
    const most = Math.max(...bars.map(({ counts }) => sumOf(counts)));
    // There is no half of a change.
    for (const count of new Set([0, Math.floor(most / 2), most])) {
      const level = y + BARS * (1 - count / most);
      root.append(shape("line", { x1: left, x2: width - right, y1: level, y2: level, class: "axis" }), text(left - 4, level + 3, "end", short(page, count)));
    }
    for (const { day, counts } of bars) {
      let top = y + BARS;
      const [a, b] = [x(day), x(after(unit, day))];
      const label = `${dateOf(page, day, unit)}: ${CHANGES.filter(([change]) => counts[change] > 0).map(([change, word]) => `${words.say(word)} ${words.number(counts[change])}`).join(words.say("comma"))}`;
      for (const [change] of CHANGES) {
        const height = (counts[change] / most) * BARS;
        if (height === 0) continue;
        top -= height;
        // A single step would fill the picture.
        const width = Math.min(WIDEST, Math.max(1.5, b - a - 1));
        root.append(titled(shape("rect", { x: a + Math.max(0, (b - a - width) / 2), y: top, width, height: Math.max(height, 1), class: change }), label));
      }
    }
    y += BARS + 4;
  }
  for (const kind of new Set(all.intervals.map(({ kind }) => kind))) y = lane(page, root, y, kind, all.intervals, between, { x, left, end });
  for (const kind of new Set(all.snapshots.map(({ kind }) => kind))) {
    root.append(text(left, y + 12, "start", kindOf(page, kind)));
    y += HEAD;
    for (const { name, at, completed } of all.snapshots.filter((own) => own.kind === kind).slice(0, 500)) {
      const [middle, done] = [x(at), x(completed ?? at)];
      const label = `${visible(name)}: ${timeOf(page, at)}${completed === undefined ? "" : ` – ${timeOf(page, completed)}`}`;
      if (done - middle > 4) root.append(shape("line", { x1: middle, x2: done, y1: y + 6, y2: y + 6, class: "axis" }));
      root.append(titled(shape("path", { d: `M${middle} ${y + 1}l5 5-5 5-5-5z`, class: "snapshot" }), label));
    }
    y += ROW + 2;
  }
  y = axis(page, root, y, { x, start, end, width, left, right });
  root.setAttribute("viewBox", `0 0 ${width} ${y}`);
  root.setAttribute("height", String(y));
  return root;
}

/** The intervals of a kind: as few rows as they fit in, with gaps and overlaps below. */
function lane(page: Page, root: SVGElement, top: number, kind: string, intervals: readonly Interval[], between: readonly Seam[], { x, left, end }: { x: (time: number) => number; left: number; end: number }): number {
  const words = page.words();
  let y = top;
  root.append(text(left, y + 12, "start", kindOf(page, kind)));
  y += HEAD;
  const rows: number[] = [];
  for (const { name, from, until } of intervals.filter((own) => own.kind === kind).sort((one, other) => one.from - other.from)) {
    let row = rows.findIndex((taken) => taken <= from);
    if (row < 0) row = rows.length < ROWS ? rows.length : ROWS - 1;
    rows[row] = Math.max(rows[row] ?? 0, until ?? Number.POSITIVE_INFINITY);
    const label = `${visible(name)}: ${timeOf(page, from)} – ${until === undefined ? words.say("timeStill") : timeOf(page, until)}`;
    root.append(titled(shape("rect", { x: x(from), y: y + row * ROW, width: Math.max(2, x(until ?? end) - x(from)), height: ROW - 4, rx: 2, class: until === undefined ? "interval open" : "interval" }), label));
  }
  y += rows.length * ROW;
  const own = between.filter((seam) => seam.kind === kind);
  for (const { is, from, until } of own) {
    const label = `${words.say(is === "gap" ? "timeGap" : "timeOverlap")}: ${timeOf(page, from)} – ${timeOf(page, until)}`;
    root.append(titled(shape("rect", { x: x(from), y, width: Math.max(3, x(until) - x(from)), height: ROW - 6, class: is }), label));
  }
  return y + (own.length > 0 ? ROW : 4);
}

function axis(page: Page, root: SVGElement, top: number, { x, start, end, width, left, right }: { x: (time: number) => number; start: number; end: number; width: number; left: number; right: number }): number {
  root.append(shape("line", { x1: left, x2: width - right, y1: top, y2: top, class: "axis" }));
  const fitting = (unit: Unit) => {
    // Room for the longest label: characters of Japanese are twice as wide.
    const room = GAP + [...dateOf(page, Date.UTC(2000, 11, 28), unit)].reduce((sum, own) => sum + (own > "\u00ff" ? 11 : 6.5), 0);
    const labels: { place: number; label: string }[] = [];
    for (let time = startOf(unit, start); time <= end; time = after(unit, time)) {
      const place = x(time);
      const last = labels.at(-1)?.place ?? Number.NEGATIVE_INFINITY;
      if (time >= start && place - last >= room && place <= width - right - room + GAP) labels.push({ place, label: dateOf(page, time, unit) });
    }
    return labels;
  };
  const most = Math.max(2, Math.floor((width - left - right) / 90));
  let unit = unitFor(end - start, most);
  let labels = fitting(unit);
  // A short span of a large unit may have only one.
  while (labels.length < 2 && unit !== "day") labels = fitting((unit = UNITS[UNITS.indexOf(unit) - 1] ?? "day"));
  for (const { place, label } of labels) root.append(shape("line", { x1: place, x2: place, y1: top, y2: top + 4, class: "axis" }), text(place, top + 15, "start", label));
  return top + 20;
}

/** What the picture shows, as tables. */
function tables(page: Page, all: Timeline, bars: readonly Day[], between: readonly Seam[], unit: Unit): HTMLElement {
  const words = page.words();
  const shown = CHANGES.filter(([change]) => bars.some(({ counts }) => counts[change] > 0));
  const table = (title: string, heads: readonly string[], rows: readonly (readonly string[])[]) => rows.length > 0 && h("div", { class: "table-scroll", tabindex: 0, role: "region", "aria-label": title },
    h("table", { class: "plain-table" }, h("caption", { class: "unseen" }, title),
      h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, ...rows.slice(0, TABLE).map((cells) => h("tr", {}, ...cells.map((cell) => h("td", {}, cell)))))));
  const of = words.say("timeChanges", { unit: words.say(({ day: "timeDay", week: "timeWeek", month: "timeMonth", year: "timeYear" } as const)[unit]) });
  const spans = [
    ...all.intervals.map(({ name, kind, from, until }) => ({ from, cells: [visible(name), kindOf(page, kind), timeOf(page, from), until === undefined ? words.say("timeStill") : timeOf(page, until), ""] })),
    ...all.snapshots.map(({ name, kind, at, completed }) => ({ from: at, cells: [visible(name), kindOf(page, kind), timeOf(page, at), completed === undefined ? "" : timeOf(page, completed), words.say("timeSnapshot")] })),
    ...between.map(({ kind, is, from, until }) => ({ from, cells: ["", kindOf(page, kind), timeOf(page, from), timeOf(page, until), words.say(is === "gap" ? "timeGap" : "timeOverlap")] })),
  ].sort((one, other) => one.from - other.from);
  return h("details", {}, h("summary", {}, words.say("timeTable")),
    table(of, [words.say("timePeriod"), ...shown.map(([, word]) => words.say(word))], bars.map(({ day, counts }) => [dateOf(page, day, unit), ...shown.map(([change]) => words.number(counts[change]))])),
    table(words.say("timeIntervals"), [words.say("timeDocument"), words.say("kindHead"), words.say("timeFrom"), words.say("timeUntil"), words.say("timeState")], spans.map(({ cells }) => cells)));
}

function short(page: Page, n: number): string {
  return new Intl.NumberFormat(page.words().lang, { notation: "compact", maximumFractionDigits: 1 }).format(n);
}

function shape(name: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, typeof value === "number" ? String(Math.round(value * 100) / 100) : value);
  return element;
}

function titled(element: SVGElement, label: string): SVGElement {
  const title = document.createElementNS(SVG, "title");
  title.textContent = label;
  element.append(title);
  return element;
}

function text(x: number, y: number, anchor: string, content: string): SVGElement {
  const element = shape("text", { x, y, "text-anchor": anchor });
  element.textContent = content;
  return element;
}
