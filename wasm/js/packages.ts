/** Opens packages: their members, and the verified bytes of these. */

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

/** The manifest entry of a bitstream. */
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
  /** Its index in the archive. */
  readonly index: number;
  readonly name: string;
  readonly kind: "file" | "folder" | "manifest" | "special";
  /** `verified`: matches archive and manifest. `sound`: matches the archive, and is not in the manifest. */
  readonly state: "verified" | "sound" | "unchecked" | "unlisted" | "differs" | "damaged" | "refused";
  /** Why it is refused or damaged. */
  readonly why?: string;
  readonly size: Length;
  readonly packedSize: Length;
  /** What was compared: `crc-32`, `length`, `md5` … */
  readonly checked: readonly string[];
  readonly resources: readonly MemberResource[];
}

/** Compressed bytes inflated at a time, which yield at most a thousand times as many. */
const SLICE = 16 << 10;

/** An open package. Free its memory with `using`, or leave it to the garbage collector. */
export class Package {
  /** The report of its verification. */
  readonly report: Report;
  /** The kind of its manifest. */
  readonly kind: Kind;
  /** In the order of the archive. */
  readonly members: readonly Member[];
  /** Entries of the manifest without a member: deletions, and missing members. */
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

  /** Finds a member by name, or by a URI of the manifest. */
  find(nameOrUri: string): Member | undefined {
    const named = this.members.find(({ name }) => name === nameOrUri);
    return named ?? this.members.find(({ resources }) => resources.some(({ uri }) => uri === nameOrUri));
  }

  /**
   * The bytes of a member in chunks. Rely on them only after the loop has ended: size, checksum, length and every listed digest
   * are verified then, or a `RefusedError` is thrown.
   */
  async *stream(member: Member | string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const own = typeof member === "string" ? this.find(member) : member;
    if (!own) throw new SourceError(`no member is called \`${String(member)}\``);
    const unpack = inside(() => this.#contents.unpack(own.index));
    if (!unpack) throw new SourceError(`\`${own.name}\` is not unpacked${own.why === undefined ? "" : `: ${own.why}`}`);
    // A separate buffer, since members may be read concurrently.
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

  /** The verified bytes of a member. Rejected with a `SourceError` if it does not exist or cannot be unpacked, and a `RefusedError` if verification fails. */
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

  /** The output of `resourcesync list --format json`. */
  toList(): string {
    return inside(() => this.#contents.list(toJson(this.report)));
  }

  [Symbol.dispose](): void {
    free(this.#contents);
  }
}

/**
 * Opens a package: verifies it like `verifyPackage`, and returns its members. With `fixity: false` nothing is unpacked yet, and
 * each member is verified when it is read. Rejected like `verifyPackage`.
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
