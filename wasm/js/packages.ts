/** Packages opened: what is in them, and the bytes of members, given out as they are verified. */

import { SourceError } from "./errors.js";
import type { Length } from "./model.js";
import { init } from "./loading.js";
import { free, glue, inside } from "./module.js";
import { ABOUT_AN_INPUT } from "./check-args.js";
import * as inputs from "./input.js";
import { toJson } from "./report.js";
import { ownName } from "./sources.js";
import type { Kind, PackageSource, Report, ValidateOptions } from "./types.js";
import { Running } from "./run.js";
import { randomly } from "./validate.js";

/** What the manifest says of a bitstream. */
export interface MemberResource {
  readonly uri?: string;
  readonly role: "bitstream" | "patch";
  readonly path?: string;
  readonly change?: string;
  readonly datetime?: string;
  readonly lastmod?: string;
  readonly type?: string;
  readonly encoding?: string;
  readonly length?: Length;
  readonly hash?: string;
}

/** A member of a package. */
export interface Member {
  /** Its place in the archive. */
  readonly index: number;
  readonly name: string;
  readonly kind: "file" | "folder" | "manifest" | "special";
  /** `verified`: all that archive and manifest say of its bytes is true. `sound`: the archive is right, the manifest says nothing. */
  readonly state: "verified" | "sound" | "unchecked" | "unlisted" | "differs" | "damaged" | "refused";
  /** Why it is refused or damaged. */
  readonly why?: string;
  readonly size: Length;
  readonly packedSize: Length;
  /** What was compared: `crc-32`, `length`, `md5` … */
  readonly checked: readonly string[];
  readonly resources: readonly MemberResource[];
}

/** Packed bytes unpacked at a time: at most a thousand times as many come out. */
const SLICE = 16 << 10;

/** A package that was opened. Give its memory back with `using`, or leave that to the garbage collector. */
export class Package {
  /** What its verification found. */
  readonly report: Report;
  /** What its manifest is. */
  readonly kind: Kind;
  /** In the order of the archive. */
  readonly members: readonly Member[];
  /** What the manifest lists and no member belongs to: deletions, and what is missing. */
  readonly absent: readonly MemberResource[];
  readonly #contents: glue.Contents;
  readonly #source: PackageSource;

  /** @internal */
  constructor(report: Report, contents: glue.Contents, source: PackageSource) {
    this.report = report;
    this.#contents = contents;
    this.#source = source;
    this.kind = inside(() => contents.kind) as Kind;
    const members = inside(() => contents.members()) as Member[];
    this.members = members.map((member) => ({ ...member, checked: member.checked ?? [], resources: member.resources ?? [] }));
    this.absent = inside(() => contents.absent()) as MemberResource[];
  }

  /** The member of a name, or the one that a URI of the manifest leads to. */
  find(nameOrUri: string): Member | undefined {
    const named = this.members.find(({ name }) => name === nameOrUri);
    return named ?? this.members.find(({ resources }) => resources.some(({ uri }) => uri === nameOrUri));
  }

  /**
   * The bytes of a member, window by window. Rely on them only when the loop has come to its end: size, check sum, length and
   * every listed digest are verified by then, or a `RefusedError` was thrown.
   */
  async *stream(member: Member | string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const own = typeof member === "string" ? this.find(member) : member;
    if (!own) throw new SourceError(`no member is called \`${String(member)}\``);
    const unpack = inside(() => this.#contents.unpack(own.index));
    if (!unpack) throw new SourceError(`\`${own.name}\` is not unpacked${own.why === undefined ? "" : `: ${own.why}`}`);
    // Room of its own: members may be read side by side.
    const access = randomly(this.#source);
    let open: glue.Unpack | undefined = unpack;
    try {
      for (;;) {
        const wanted = inside(() => unpack.wants());
        if (!wanted) break;
        const [offset = 0, length = 0] = wanted;
        const bytes = await access.read(offset, length);
        for (let at = 0; at < bytes.length; at += SLICE) {
          const parts = inside(() => unpack.give(bytes.subarray(at, at + SLICE)));
          yield* parts as Uint8Array<ArrayBuffer>[];
        }
      }
      open = undefined;
      inside(() => unpack.finish());
    } finally {
      free(open);
    }
  }

  /** All bytes of a member, verified. Rejected with a `SourceError` if it is not there or not unpacked, a `RefusedError` if it is not what is said of it. */
  async read(member: Member | string): Promise<Uint8Array<ArrayBuffer>> {
    const parts = [];
    let length = 0;
    for await (const part of this.stream(member)) {
      parts.push(part);
      length += part.length;
    }
    const all = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }

  /** What `resourcesync list --format json` writes. */
  toList(): string {
    return inside(() => this.#contents.list(toJson(this.report)));
  }

  [Symbol.dispose](): void {
    free(this.#contents);
  }
}

/**
 * Opens a package: verifies it as `verifyPackage` does, and keeps what is in it. With `fixity: false` nothing is unpacked yet;
 * each member is verified when it is read. Rejected as `verifyPackage`.
 */
export async function openPackage(source: PackageSource, options: ValidateOptions = {}): Promise<Package> {
  await init();
  const own = randomly(source);
  const run = new Running(options, ABOUT_AN_INPUT);
  try {
    const name = options.name ?? ownName(source) ?? "package.zip";
    const { outcome, contents } = await inputs.open(own, run.job({ ...options, name }, 0, 1));
    return new Package(run.finish(outcome), contents, source);
  } finally {
    run.free();
  }
}
