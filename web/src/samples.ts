// Sample documents, deployed with the page.

import type { Icon } from "./icon.js";
import { fileOfPage } from "./own.js";
import type { Given } from "./state.js";
import type { Word } from "./words/index.js";

export const SAMPLES: readonly { word: Word; files: readonly string[]; icon: Icon }[] = [
  { word: "sampleValid", files: ["resourcelist.xml"], icon: "file" },
  { word: "sampleBroken", files: ["changelist.xml"], icon: "file" },
  { word: "samplePackage", files: ["resourcedump.zip"], icon: "package" },
  { word: "sampleSource", files: ["source/.well-known/resourcesync", "source/dataset/capabilitylist.xml", "source/dataset/resourcelist.xml", "source/dataset/changelist.xml"], icon: "folder" },
];

/** The files of a sample. */
export function sample(files: readonly string[]): Promise<Given[]> {
  return Promise.all(files.map(async (name): Promise<Given> => {
    // Some hosts do not serve folders that start with a dot.
    const answer = await fileOfPage(`samples/${name.replace("/.well-known/", "/well-known/")}`);
    const file = new File([await answer.blob()], name.split("/").at(-1) ?? name);
    return { name, file, via: name.includes("/") ? "folder" : "argument" };
  }));
}
