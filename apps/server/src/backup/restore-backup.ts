import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { statfs, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../config.ts';
import { handToServer } from '../stores/postgres.ts';
import { takeRunLock } from '../supervision/run-lock.ts';
import { readArchive } from './archive.ts';
import { DamagedBackupError, type OpenBackup, openBackup } from './backup-file.ts';
import { type BackupManifest, backupManifest, RESTORED_FILE, type RestoredFile } from './manifest.ts';
import type { ReadEntry } from './tar.ts';

/** Holds what is not yet whole; a server does not start beside it. */
const DRAFT = 'restoring';
const LOCK = /^server\.lock/;
const MIB = 1024 * 1024;

export interface CheckedBackup {
  readonly manifest: BackupManifest;
  readonly backup: OpenBackup;
  /** Bytes and number of all files, unpacked. */
  readonly unpackedBytes: number;
  readonly members: number;
}

export type Progress = (read: number, inAll: number) => void;

/** Reads a backup from its first byte to its last and compares all checksums. Writes nothing. Throws DamagedBackupError. */
export async function verifyBackup(
  file: string,
  passphrase: string | undefined,
  progress: Progress,
): Promise<CheckedBackup> {
  const backup = await openBackup(file, passphrase);
  let read = 0;
  const count = (bytes: number) => {
    read += bytes;
    progress(read, 2 * backup.bytes);
  };
  await backup.verifyBytes(count);
  let unpackedBytes = 0;
  let members = 0;
  const found = await readArchive(backup.archive(count), async (entry) => {
    unpackedBytes += entry.bytes;
    if (entry.kind === 'file') members += 1;
  });
  const manifest = backupManifest.safeParse(found);
  if (!manifest.success)
    throw new DamagedBackupError('Its manifest is not one that this version of Sonnenwarte knows.');
  return { manifest: manifest.data, backup, unpackedBytes, members };
}

/** Throws unless the folder is one that a backup may be restored into. */
export function requireEmptyFolder(dataDir: string): void {
  const names = existsSync(dataDir) ? readdirSync(dataDir) : [];
  if (names.length === 0) return;
  throw new Error(
    names.includes(DRAFT)
      ? `The data folder ${dataDir} holds a restore that did not come to its end. Remove its content and restore again.`
      : `The data folder ${dataDir} is not empty (${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}): a backup is restored into an empty one only. Set DATA_DIR to another folder, or move this one away.`,
  );
}

/** Throws where a restore began and did not come to its end. */
export function requireNoHalfRestore(dataDir: string): void {
  if (!existsSync(join(dataDir, DRAFT))) return;
  throw new Error(
    `The data folder ${dataDir} holds a restore that did not come to its end. Remove its content and restore again (npm run restore).`,
  );
}

/** Writes a backup that was verified into an empty data folder. It appears there at once, or not at all. */
export async function unpackBackup(
  { backup, manifest, unpackedBytes }: CheckedBackup,
  { dataDir }: Config,
  progress: Progress,
): Promise<void> {
  requireEmptyFolder(dataDir);
  const lock = takeRunLock(dataDir, 'npm run restore');
  try {
    await requireSpace(dataDir, unpackedBytes);
    const draft = join(dataDir, DRAFT);
    mkdirSync(draft, { mode: 0o700 });
    let read = 0;
    await readArchive(
      backup.archive((bytes) => {
        read += bytes;
        progress(read, backup.bytes);
      }),
      (entry) => write(entry, draft),
    );
    const note: RestoredFile = {
      madeAt: manifest.madeAt,
      moment: manifest.moment,
      portal: manifest.portal,
      keys: manifest.keys,
      restoredAt: new Date().toISOString(),
      withDatabase: manifest.database !== null,
      file: basename(backup.file),
    };
    writeFileSync(join(draft, RESTORED_FILE), `${JSON.stringify(note)}\n`, { mode: 0o600 });
    await toDisk();
    for (const name of readdirSync(draft)) renameSync(join(draft, name), join(dataDir, name));
    if (manifest.database !== null) handToServer(dataDir);
    await toDisk();
    rmSync(draft, { recursive: true });
  } catch (error) {
    for (const name of readdirSync(dataDir)) {
      if (!LOCK.test(name)) rmSync(join(dataDir, name), { recursive: true, force: true });
    }
    throw error;
  } finally {
    lock.release();
  }
}

async function requireSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= bytes) return;
  const [needed, free] = [bytes, bavail * bsize].map((each) => `${Math.ceil(each / MIB)} MiB`);
  throw new Error(`There is not enough room on the disk of ${folder}: ${needed} are needed, ${free} are free.`);
}

async function write({ kind, name, mode, target = '', content }: ReadEntry, folder: string): Promise<void> {
  const path = join(folder, name);
  mkdirSync(kind === 'folder' ? path : dirname(path), { recursive: true, mode: 0o700 });
  if (kind === 'link') await symlink(target, path);
  // Nobody but this user needs to read what lies in a data folder.
  else if (kind === 'file') await pipeline(content, createWriteStream(path, { flags: 'wx', mode: mode & 0o700 }));
}

/** What was written is on the disk. */
async function toDisk(): Promise<void> {
  const child = spawn('sync', { stdio: 'ignore' });
  await Promise.race([once(child, 'exit'), once(child, 'error')]).catch(() => undefined);
}
