import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';

export interface OutgoingMail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly at: Date;
}

/** Hands a mail over; answers where to. Throws where it was not taken. */
export type Transport = (mail: OutgoingMail) => Promise<string>;

const TIMEOUT_MS = 20_000;

const messageOf = ({ id, to, subject, text, at }: OutgoingMail, from: string) => ({
  from,
  // As an object: the address is never read as a list of several.
  to: { name: '', address: to },
  subject,
  text,
  date: at,
  // The same at every try, so that a mail that was taken twice is known as one.
  messageId: `<${id}@sonnenwarte>`,
  textEncoding: 'quoted-printable' as const,
  disableFileAccess: true,
  disableUrlAccess: true,
  headers: { 'Auto-Submitted': 'auto-generated' },
});

/** Writes mails as files that mail programs open, readable by the user of the server alone. */
export function outbox(dataDir: string, from: string): Transport {
  const folder = join(dataDir, 'outbox');
  return async (mail) => {
    const { createTransport } = await import('nodemailer');
    const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(messageOf(mail, from));
    const file = join(folder, `${mail.at.toISOString().replaceAll(/[:.]/g, '-')}-${mail.id}.eml`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 });
    await rename(`${file}.part`, file);
    return file;
  };
}

/** Sends mails to a server. */
export function smtp(url: string, from: string): Transport {
  return async (mail) => {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      url,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
    });
    try {
      await transport.sendMail(messageOf(mail, from));
    } finally {
      transport.close();
    }
    return new URL(url).host;
  };
}

export const transportOf = ({
  smtpUrl,
  dataDir,
  mailFrom,
}: Pick<Config, 'smtpUrl' | 'dataDir' | 'mailFrom'>): Transport =>
  smtpUrl === undefined ? outbox(dataDir, mailFrom) : smtp(smtpUrl, mailFrom);
