import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { posix } from 'node:path';
import { DamagedBackupError } from './backup-file.ts';
import { padding, type ReadEntry, readTar, type TarEntry, TarError, tarEnd, tarHeader } from './tar.ts';

/** What goes into the archive, by its name in the data folder. The content has as many bytes as announced. */
export interface Member extends TarEntry {
  readonly content?: AsyncIterable<Buffer> | Iterable<Buffer>;
}

export const MANIFEST = 'sonnenwarte-backup/manifest.json';
/** As `sha256sum -c` reads it. */
const SUMS = 'sonnenwarte-backup/SHA256SUMS';
const PIECE_BYTES = 256 * 1024;
const LONGEST_MANIFEST_BYTES = 1024 * 1024;

export const folderMember = (name: string, mode = 0o700): Member => ({
  kind: 'folder',
  name: `${name}/`,
  mode,
  bytes: 0,
  modifiedS: 0,
});

export function textMember(name: string, text: string | Buffer): Member {
  const content = Buffer.from(text);
  return { kind: 'file', name, mode: 0o600, bytes: content.length, modifiedS: Date.now() / 1_000, content: [content] };
}

/** What lies in a folder, by name; nothing where it is gone. */
export async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/**
 * A file as it is now; nothing where it is gone. `fill`: a file that became shorter meanwhile is filled up with zeros, which is right for
 * those of PostgreSQL, whose log says what belongs there.
 */
export async function* fileMember(path: string, name: string, fill = false): AsyncGenerator<Member> {
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (handle === undefined) return;
  try {
    const { size, mode, mtimeMs } = await handle.stat();
    yield {
      kind: 'file',
      name,
      mode: mode & 0o777,
      bytes: size,
      modifiedS: mtimeMs / 1_000,
      content: contentOf(handle, path, size, fill),
    };
  } finally {
    await handle.close();
  }
}

async function* contentOf(handle: FileHandle, path: string, bytes: number, fill: boolean): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes; ) {
    const part = Buffer.allocUnsafe(Math.min(PIECE_BYTES, bytes - at));
    const { bytesRead } = await handle.read(part, 0, part.length, at);
    if (bytesRead === 0 && !fill) throw new Error(`${path} became shorter while it was read. Please try again.`);
    if (bytesRead === 0) part.fill(0);
    const read = bytesRead === 0 ? part : part.subarray(0, bytesRead);
    at += read.length;
    yield read;
  }
}

/** The bytes of an archive; last comes a list of the checksums of all files. */
export async function* archiveOf(members: AsyncIterable<Member>): AsyncGenerator<Buffer> {
  const sums: string[] = [];
  for await (const member of members) {
    const hash = createHash('sha256');
    yield* bytesOf(member, (part) => hash.update(part));
    if (member.kind === 'file') sums.push(`${hash.digest('hex')}  ${member.name}\n`);
  }
  yield* bytesOf(textMember(SUMS, sums.join('')), () => undefined);
  yield tarEnd();
}

async function* bytesOf(member: Member, seen: (part: Buffer) => void): AsyncGenerator<Buffer> {
  yield tarHeader(member);
  let bytes = 0;
  for await (const part of member.content ?? []) {
    bytes += part.length;
    seen(part);
    yield part;
  }
  if (bytes !== member.bytes) throw new Error(`${member.name} has ${bytes} bytes instead of ${member.bytes}`);
  yield padding(bytes);
}

/**
 * Reads an archive to its end, compares every file with its checksum, and answers the manifest. `take` gets what lies in the data
 * folder; it need not read a content. Throws DamagedBackupError.
 */
export async function readArchive(
  archive: AsyncIterable<Buffer>,
  take: (entry: ReadEntry) => Promise<void>,
): Promise<unknown> {
  const found = new Map<string, string>();
  let manifest: string | undefined;
  let sums: string | undefined;
  try {
    for await (const entry of readTar(archive)) {
      requireSafe(entry);
      if (entry.name === SUMS) {
        sums = await textOf(entry, Number.MAX_SAFE_INTEGER);
        continue;
      }
      const hash = createHash('sha256');
      const content = hashed(entry.content, hash);
      if (entry.name === MANIFEST) manifest = await textOf({ ...entry, content }, LONGEST_MANIFEST_BYTES);
      else await take({ ...entry, content });
      for await (const _rest of content);
      if (entry.kind !== 'file') continue;
      if (found.has(entry.name)) throw new TarError(`${entry.name} is in it twice`);
      found.set(entry.name, hash.digest('hex'));
    }
  } catch (error) {
    if (error instanceof TarError) throw new DamagedBackupError(`It cannot be read: ${error.message}.`);
    throw error;
  }
  compare(found, sums);
  if (manifest === undefined) throw new DamagedBackupError('It is not whole: its manifest is missing.');
  return JSON.parse(manifest);
}

async function* hashed(content: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const part of content) {
    hash.update(part);
    yield part;
  }
}

async function textOf({ content, bytes, name }: ReadEntry, longest: number): Promise<string> {
  if (bytes > longest) throw new TarError(`${name} is too long`);
  const parts: Buffer[] = [];
  for await (const part of content) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

function compare(found: ReadonlyMap<string, string>, sums: string | undefined): void {
  if (sums === undefined) throw new DamagedBackupError('It is not whole: the list of its checksums is missing.');
  const lines = sums.split('\n').filter((line) => line !== '');
  for (const line of lines) {
    const [sum, name] = [line.slice(0, 64), line.slice(66)];
    const own = found.get(name);
    if (own === undefined) throw new DamagedBackupError(`It is not whole: ${name} is missing.`);
    if (own !== sum) throw new DamagedBackupError(`It was altered or damaged: ${name} does not fit its checksum.`);
  }
  if (lines.length !== found.size)
    throw new DamagedBackupError('It holds files that its list of checksums does not name.');
}

/** Nothing may be written outside of the folder that is restored. */
function requireSafe({ name, kind, target = '' }: ReadEntry): void {
  const isInside = (path: string) => !posix.isAbsolute(path) && !posix.normalize(path).split('/').includes('..');
  const isPlain = !name.includes('\u0000') && !name.split('/').some((part) => part === '.' || part === '..');
  if (name === '' || !isPlain || !isInside(name)) throw new TarError(`the name "${name}" leads out of the folder`);
  if (kind === 'link' && (posix.isAbsolute(target) || !isInside(posix.join(posix.dirname(name), target)))) {
    throw new TarError(`the link "${name}" leads out of the folder`);
  }
}
