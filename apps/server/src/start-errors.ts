import { existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { ConfigError } from './config.ts';

/** Which setting a port that cannot be opened came from, what is wrong and what to do; anything else as it was. */
export function listenError(error: unknown, variable: string, port: number, host: string): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new ConfigError(
        `${variable} ${port} on ${host} is in use by another program. Choose another with ${variable}=…`,
      );
    case 'EACCES':
      return new ConfigError(
        `${variable} ${port} may not be opened by this user: ports below 1024 need special rights. Choose another with ${variable}=…`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new ConfigError(
        `HOST is "${host}": this machine has no such address. Set HOST to one of its own, to 127.0.0.1 for this machine alone, or to 0.0.0.0 for all.`,
      );
    default:
      return error;
  }
}

/** Throws a ConfigError where nothing can listen on the address, or on that port of it, before anything else is started. */
export async function checkAddress(host: string, port = 0): Promise<void> {
  const trial = createServer();
  try {
    await new Promise<void>((done, failed) => {
      trial.once('error', failed).listen({ host, port }, done);
    });
  } catch (error) {
    throw listenError(error, 'PORT', port, host);
  } finally {
    // Also where it never listened.
    await new Promise<void>((done) => trial.close(() => done()));
  }
}

/** Makes a folder step by step: making the whole path at once never ends where a file system knows no folders, as `/proc`. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

const cannotWrite: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'it lies on a read-only file system',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'it is a file',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  ENOENT: 'it cannot be made there',
  ENAMETOOLONG: 'the path is too long',
};

/** What is wrong with the data folder, where an error of the file system says so. */
export function dataDirError(error: unknown, dataDir: string): unknown {
  const reason = cannotWrite[(error as NodeJS.ErrnoException).code ?? ''];
  if (reason === undefined || !(error instanceof Error) || !('syscall' in error)) return error;
  return new ConfigError(
    `DATA_DIR is "${dataDir}": ${reason} (${(error as NodeJS.ErrnoException).code}). Set DATA_DIR to a folder that this user can read and write.`,
  );
}
