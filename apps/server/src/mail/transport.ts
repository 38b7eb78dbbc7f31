import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { LOGO_ID, type MailLook } from './branded-mail.ts';
import type { Attachment } from './mail.ts';

export interface OutgoingMail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly at: Date;
  /** Of its brand; without one it is a plain text of the portal. */
  readonly look?: MailLook;
  readonly attachments?: readonly Attachment[];
}

/** Hands a mail over; answers where to. Throws where it was not taken. */
export type Transport = (mail: OutgoingMail) => Promise<string>;

const TIMEOUT_MS = 20_000;

/** The address within `Name <address>`. */
const addressIn = (sender: string): string => /<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender;

const senderOf = (look: MailLook | undefined, from: string) =>
  look ? { name: look.name, address: look.address === '' ? addressIn(from) : look.address } : from;

const logoPart = ({ content }: NonNullable<MailLook['logo']>) => ({
  cid: LOGO_ID,
  filename: 'logo.png',
  contentType: 'image/png',
  contentDisposition: 'inline' as const,
  content,
});

const partsOf = ({ look, attachments = [] }: OutgoingMail) => ({
  ...(look && { html: look.html }),
  attachments: [
    ...(look?.logo ? [logoPart(look.logo)] : []),
    ...attachments.map(({ name, contentType, content }) => ({ filename: name, contentType, content })),
  ],
});

const messageOf = (mail: OutgoingMail, from: string) => ({
  from: senderOf(mail.look, from),
  // As an object: the address is never read as a list of several.
  to: { name: '', address: mail.to },
  subject: mail.subject,
  text: mail.text,
  date: mail.at,
  // The same at every try, so that a mail that was taken twice is known as one.
  messageId: `<${mail.id}@sonnenwarte>`,
  textEncoding: 'quoted-printable' as const,
  disableFileAccess: true,
  disableUrlAccess: true,
  headers: { 'Auto-Submitted': 'auto-generated' },
  ...partsOf(mail),
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
