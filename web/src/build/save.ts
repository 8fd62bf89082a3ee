// Saves what was built into a folder that the user chooses, in browsers with the File System Access API.

/** Whether the browser can write into a folder. */
export function canSave(): boolean {
  return "showDirectoryPicker" in window;
}

/** Writes files below a folder, in this order, and returns its name; null if the user chose none. */
export async function saveAll(files: readonly { path: string; file: Blob }[]): Promise<string | null> {
  let folder: FileSystemDirectoryHandle;
  try {
    folder = await (window as unknown as { showDirectoryPicker(options: object): Promise<FileSystemDirectoryHandle> }).showDirectoryPicker({ mode: "readwrite" });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return null;
    throw error;
  }
  for (const { path, file } of files) {
    const names = path.split("/");
    const name = names.pop() ?? "";
    let at = folder;
    for (const own of names) at = await at.getDirectoryHandle(own, { create: true });
    // The browser replaces the old file only when everything is written.
    const target = await (await at.getFileHandle(name, { create: true })).createWritable();
    await file.stream().pipeTo(target);
  }
  return folder.name;
}
