// Collects dropped or selected files: folders are traversed like in the command.

import type { Given } from "./state.js";

/** The dropped files. Must be called while the event is handled, since the browser discards them afterwards. */
export function dropped(transfer: DataTransfer): Promise<Given[]> {
  const entries = [...transfer.items].filter((item) => item.kind === "file").map((item) => {
    const entry = item.webkitGetAsEntry();
    // Items without an entry can still be files.
    return entry ?? item.getAsFile();
  });
  return Promise.all(entries.map(async (entry): Promise<Given[]> => {
    if (!entry) return [];
    if (entry instanceof File) return [{ name: entry.name, file: entry, via: "argument" }];
    if (entry.isFile) return [{ name: entry.name, file: await fileOf(entry as FileSystemFileEntry), via: "argument" }];
    const found: Given[] = [];
    await walk(entry as FileSystemDirectoryEntry, entry.name, found);
    return sorted(found);
  })).then((all) => all.flat());
}

/** The selected files. */
export function chosen(files: FileList): Given[] {
  return [...files].map((file) => ({ name: file.name, file, via: "argument" }));
}

/** The files of a selected folder. */
export function chosenFolder(files: FileList): Given[] {
  const all = [...files].map((file): Given => ({ name: file.webkitRelativePath || file.name, file, via: "folder" }));
  return sorted(all);
}

/**
 * The files of a folder that the user chooses, one at a time, in browsers with the File System Access API; the field would create all
 * files in one task, which blocks the page if there are many. Null if the user chose none, or if the field asks instead.
 */
export async function pickFolder(field: HTMLInputElement): Promise<Given[] | null> {
  const { showDirectoryPicker } = window as unknown as { showDirectoryPicker?(options: object): Promise<FileSystemDirectoryHandle> };
  if (!showDirectoryPicker) {
    field.click();
    return null;
  }
  let folder: FileSystemDirectoryHandle;
  try {
    folder = await showDirectoryPicker.call(window, { id: "source" });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return null;
    throw error;
  }
  const found: Given[] = [];
  await read(folder, folder.name, found);
  return sorted(found);
}

async function read(folder: FileSystemDirectoryHandle, name: string, found: Given[]): Promise<void> {
  for await (const entry of folder.values()) {
    const path = `${name}/${entry.name}`;
    if (entry.kind === "directory") await read(entry as FileSystemDirectoryHandle, path, found);
    else found.push({ name: path, file: await (entry as FileSystemFileHandle).getFile(), via: "folder" });
  }
}

async function walk(folder: FileSystemDirectoryEntry, name: string, found: Given[]): Promise<void> {
  const reader = folder.createReader();
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return;
    for (const entry of batch) {
      const path = `${name}/${entry.name}`;
      if (entry.isDirectory) await walk(entry as FileSystemDirectoryEntry, path, found);
      else found.push({ name: path, file: await fileOf(entry as FileSystemFileEntry), via: "folder" });
    }
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

// By segments and code units, like the command: folders and files mixed.
function sorted(found: Given[]): Given[] {
  const key = new Map(found.map((given) => [given, given.name.split("/")]));
  return found.sort((one, other) => compare(key.get(one) ?? [], key.get(other) ?? []));
}

function compare(one: string[], other: string[]): number {
  for (let at = 0; at < Math.min(one.length, other.length); at++) {
    const [a, b] = [one[at] ?? "", other[at] ?? ""];
    if (a !== b) return a < b ? -1 : 1;
  }
  return one.length - other.length;
}
