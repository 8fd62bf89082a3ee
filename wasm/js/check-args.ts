/** The names and types of options and arguments, so that misspelt ones are not silently ignored. */

import { OptionError } from "./errors.js";
import { nearest } from "./nearest.js";
import { content } from "./sources.js";
import type { Input } from "./types.js";

/** A type of a value, and its description. */
type Shape = readonly [is: (value: unknown) => boolean, words: string];

const isText = (value: unknown) => typeof value === "string";
const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
const isCount = (value: unknown) => (typeof value === "bigint" ? value >= 0n : Number.isSafeInteger(value) && (value as number) >= 0);
const isFunction = (value: unknown) => typeof value === "function";

const TEXT: Shape = [isText, "text"];
const TEXTS: Shape = [(value) => Array.isArray(value) && value.every(isText), "a list of texts"];
const URIS: Shape = [(value) => Array.isArray(value) && value.every((one) => isText(one) || one instanceof URL), "a list of URIs"];
const COUNT: Shape = [(value) => typeof value === "number" && isCount(value), "a whole number"];
const isCounts = (value: unknown) => isObject(value) && Object.values(value as object).every((one) => one === undefined || isCount(one));
const COUNTS: Shape = [isCounts, "an object of whole numbers"];
const OBJECT: Shape = [isObject, "an object"];
const FLAG: Shape = [(value) => typeof value === "boolean", "true or false"];
const FUNCTION: Shape = [isFunction, "a function"];
const REPORT: Shape = [(value) => isText(value) || isObject(value), "a report or its text"];
const SIGNAL: Shape = [(value) => isObject(value) && isFunction((value as AbortSignal).throwIfAborted), "an AbortSignal"];
const AMOUNT: Shape = [(value) => isText(value) || COUNT[0](value), "a whole number, or text such as `25%`"];
const HOW_MANY: Shape = [(value) => isText(value) || COUNT[0](value), "a whole number, `none` or `all`"];

/** Options of the core. */
export const FOR_THE_CORE = {
  expect: TEXT,
  profile: TEXT,
  select: TEXTS,
  ignore: TEXTS,
  severity: OBJECT,
  limits: COUNTS,
  maxPerRule: COUNT,
  fixity: FLAG,
  failOn: TEXT,
} as const satisfies Record<string, Shape>;

/** The type of each option. */
const SHAPES: Readonly<Record<string, Shape>> = {
  ...FOR_THE_CORE,
  baseline: REPORT,
  color: FLAG,
  concurrency: COUNT,
  at: TEXT,
  documentsUri: TEXT,
  expectEntries: AMOUNT,
  force: FLAG,
  hubs: URIS,
  notify: TEXT,
  topicsUri: TEXT,
  keep: COUNT,
  maxDelete: AMOUNT,
  onRefused: FUNCTION,
  rotate: AMOUNT,
  snapshot: TEXT,
  wait: COUNT,
  describedby: TEXT,
  documents: COUNT,
  earlier: REPORT,
  fetch: FUNCTION,
  lang: TEXT,
  maxDocumentBytes: COUNT,
  maxDocumentEntries: COUNT,
  maxPackageBytes: COUNT,
  maxPackageEntries: COUNT,
  name: TEXT,
  onAccepted: FUNCTION,
  onDiagnostics: FUNCTION,
  onProgress: FUNCTION,
  packages: TEXT,
  resources: HOW_MANY,
  signal: SIGNAL,
  size: COUNT,
  store: OBJECT,
  suffix: TEXT,
  transfer: FLAG,
  uri: TEXT,
  via: TEXT,
  width: COUNT,
  worker: FUNCTION,
};

/** Options of every run. */
export const ABOUT_A_RUN: readonly string[] = [...Object.keys(FOR_THE_CORE).filter((name) => name !== "failOn"), "baseline", "onProgress", "onDiagnostics", "signal"];
/** Options of builders. */
export const BUILD_OPTIONS: readonly string[] = ["ignore", "limits", "failOn"];
/** Options of a run with one input. */
export const ABOUT_AN_INPUT: readonly string[] = ["name", "uri", "via", "size"];

/** Throws an `OptionError` if an option has an unknown name or an invalid value. */
export function known(options: object, names: readonly string[]): void {
  if (!isObject(options)) throw new OptionError("options have to be an object");
  for (const [name, value] of Object.entries(options)) {
    if (!names.includes(name)) {
      const near = nearest(name, names);
      const hint = near === undefined ? `expected one of ${names.join(", ")}` : `did you mean \`${near}\`?`;
      throw new OptionError(`unknown option \`${name}\`; ${hint}`);
    }
    const shape = SHAPES[name];
    if (value !== undefined && shape) be(value, shape, name);
  }
}

/** Throws an `OptionError` that names the option unless the value is one of these words. */
export function choice(value: string, words: readonly string[], what: string): void {
  if (words.includes(value)) return;
  const near = nearest(value, words);
  const hint = near === undefined ? `expected one of ${words.join(", ")}` : `did you mean \`${near}\`?`;
  throw new OptionError(`${what}: unknown word \`${value}\`; ${hint}`);
}

/** Throws an `OptionError` unless an argument is a string, since the module must not receive anything else. */
export function text(value: unknown, what: string): asserts value is string {
  be(value, TEXT, what);
}

/** The same for an optional string. */
export function maybeText(value: unknown, what: string): asserts value is string | undefined {
  if (value !== undefined) be(value, TEXT, what);
}

/** The same for an optional count. */
export function maybeCount(value: unknown, what: string): asserts value is number | undefined {
  if (value !== undefined) be(value, COUNT, what);
}

/** Throws an `OptionError` unless an argument is a list of strings. */
export function texts(value: unknown, what: string): asserts value is readonly string[] {
  be(value, TEXTS, what);
}

/** Throws an `OptionError` unless an argument is an object. */
export function object(value: unknown, what: string): asserts value is object {
  be(value, OBJECT, what);
}

/** Throws an `OptionError` unless an argument is iterable; `later` also allows an async iterable. */
export function iterable(value: unknown, what: string, later = false): void {
  const own = value !== null && value !== undefined ? Object(value) : {};
  const is = !isText(value) && (Symbol.iterator in own || (later && Symbol.asyncIterator in own));
  if (!is) throw new OptionError(`${what} has to be something to iterate over`);
}

/** Throws an `OptionError` unless this can be one of several inputs. */
export function input(given: Input): Input {
  object(given, "an input");
  known(given, ["source", "name", "uri", "via"]);
  text(given.name, "the name of an input");
  content(given.source);
  return given;
}

function be(value: unknown, [is, words]: Shape, what: string): void {
  if (!is(value)) throw new OptionError(`${what} has to be ${words}${meant(value)}`);
}

/** How a value becomes what is expected. */
function meant(value: unknown): string {
  if (value instanceof Date) return ", not a Date: give its `toISOString()`";
  if (value instanceof URL) return ", not a URL: give its `href`";
  if (value instanceof Promise) return ", not a promise: wait for it first";
  return "";
}
