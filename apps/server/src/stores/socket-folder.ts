import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Unix sockets hold 107 bytes of path on Linux and 103 on macOS; the longest name that we put into the folder has 20. */
const LONGEST_FOLDER_BYTES = 80;

/** A folder for sockets that only this user can enter: in the data folder, or under the system's one where that path is too long. */
export function socketFolder(dataDir: string): string {
  const near = join(resolve(dataDir), 'run');
  if (Buffer.byteLength(near) <= LONGEST_FOLDER_BYTES) return privateFolder(near);
  const mark = createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 12);
  return privateFolder(join(tmpdir(), `sonnenwarte-${process.getuid?.() ?? 0}-${mark}`));
}

function privateFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  const uid = process.getuid?.();
  if (!found.isDirectory() || (uid !== undefined && found.uid !== uid)) {
    throw new Error(`${folder} must be a folder of this user, for the sockets of the databases`);
  }
  chmodSync(folder, 0o700);
  return folder;
}
