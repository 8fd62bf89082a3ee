// A wrong and a right document, with marked differences.

import { h } from "../element.js";
import { icon } from "../icon.js";
import type { Page } from "../page.js";

/** Both documents, before and after. */
export function example(page: Page, wrong: string, right: string): HTMLElement {
  const words = page.words();
  const [before, after] = differing(wrong.split("\n"), right.split("\n"));
  const side = (name: string, shape: "invalid" | "valid", lines: Line[]) =>
    h("figure", { class: `side ${shape}` },
      h("figcaption", {}, icon(shape), name),
      h("pre", { tabindex: 0, translate: "no" }, ...lines.map(({ text, differs }) =>
        differs ? h("mark", {}, `${text}\n`) : h("span", {}, `${text}\n`))));
  return h("div", { class: "example" }, side(words.say("wrong"), "invalid", before), side(words.say("right"), "valid", after));
}

interface Line {
  text: string;
  differs: boolean;
}

/** Marks the lines that are only in one of them, by their longest common subsequence. */
export function differing(one: string[], other: string[]): [Line[], Line[]] {
  const rows = one.length + 1;
  const columns = other.length + 1;
  const length = Array.from({ length: rows }, () => new Array<number>(columns).fill(0));
  const at = (row: number, column: number) => length[row]?.[column] ?? 0;
  for (let row = rows - 2; row >= 0; row--) {
    for (let column = columns - 2; column >= 0; column--) {
      const line = length[row];
      if (line) line[column] = one[row] === other[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const before: Line[] = [];
  const after: Line[] = [];
  let [row, column] = [0, 0];
  while (row < one.length || column < other.length) {
    const [a, b] = [one[row], other[column]];
    if (a !== undefined && a === b) {
      before.push({ text: a, differs: false });
      after.push({ text: a, differs: false });
      row++;
      column++;
    } else if (b === undefined || (a !== undefined && at(row + 1, column) >= at(row, column + 1))) {
      before.push({ text: a ?? "", differs: true });
      row++;
    } else {
      after.push({ text: b, differs: true });
      column++;
    }
  }
  return [before, after];
}
