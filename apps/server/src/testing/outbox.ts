import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';

export interface ReadMail {
  readonly file: string;
  readonly to: string;
  readonly text: string;
  /** Code of the one-time link in it. */
  readonly code: string;
}

const fromQuotedPrintable = (text: string): string =>
  Buffer.from(
    text
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

/** The mails in the outbox of a data folder, the oldest first. */
export function readOutbox(dataDir: string): ReadMail[] {
  const folder = join(dataDir, 'outbox');
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  return files.sort().map((name) => {
    const file = join(folder, name);
    const source = readFileSync(file, 'latin1');
    const [head = '', ...body] = source.split(/\r?\n\r?\n/);
    const text = fromQuotedPrintable(body.join('\n\n'));
    return {
      file,
      to: /^To: .*?([^\s<>]+@[^\s<>]+)/m.exec(head)?.[1] ?? '',
      text,
      code: /#code=([\w-]+)/.exec(text)?.[1] ?? '',
    };
  });
}

/** Waits for the newest of so many mails to an address. */
export const mailTo = (dataDir: string, to: string, count = 1): Promise<ReadMail> =>
  vi.waitFor(
    () => {
      const mails = readOutbox(dataDir).filter((mail) => mail.to === to);
      const newest = mails.at(-1);
      if (mails.length < count || !newest) throw new Error(`${mails.length} mails to ${to}`);
      return newest;
    },
    { timeout: 30_000, interval: 50 },
  );
