/** Locks a folder again and again, and leaves each time the lock of a killed process; ends with 1 if another process has the lock as well. */

import { closeSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";

import { SourceFolder } from "resourcesync";

const [folder, dead, times] = process.argv.slice(2);
for (let taken = 0; taken < Number(times); ) {
  try {
    new SourceFolder(folder);
  } catch (error) {
    if (!/another run is at work/.test(error.message)) throw error;
    continue;
  }
  taken++;
  closeSync(openSync(`${folder}.held`, "wx"));
  rmSync(`${folder}.held`);
  writeFileSync(`${folder}.${process.pid}`, dead);
  renameSync(`${folder}.${process.pid}`, `${folder}.resourcesync/lock.pid`);
}
