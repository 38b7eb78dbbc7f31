import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { languages } from '@sonnenwarte/contract/languages';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { mailTo, readOutbox } from '../testing/outbox.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import { SmallSmtpServer } from '../testing/small-smtp-server.ts';
import { sendMail } from './mail.ts';
import { mailText } from './mail-texts.ts';
import { outbox, smtp } from './transport.ts';

const mail = {
  id: '00000000-0000-4000-8000-000000000001',
  to: 'someone@example.com',
  subject: 'Grüße',
  text: 'Ein langer Satz mit Umlauten: äöü.\n\nhttps://solar.example.com/resetPassword#code=abc=def\n',
  at: new Date('2026-06-21T12:00:00Z'),
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-mail-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the outbox', () => {
  test('holds a mail as one file that only the user of the server can read', async () => {
    const file = await outbox(folder, 'Solar <solar@example.com>')(mail);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    const [read] = readOutbox(folder);
    expect(read).toMatchObject({ file, to: 'someone@example.com' });
    expect(read?.text.replaceAll('\r\n', '\n').trim()).toBe(mail.text.trim());
  });

  test('gets one mail for one recipient, whatever an address looks like', async () => {
    const to = 'a,victim@example.com';
    const file = await outbox(join(folder, 'odd'), 'solar@example.com')({ ...mail, to });
    expect(readOutbox(join(folder, 'odd'))).toHaveLength(1);
    expect(file).not.toContain('victim');
  });
});

describe('a mail server', () => {
  const server = new SmallSmtpServer();
  let url = '';
  let portal: TestPortal | undefined;
  const log: string[] = [];
  beforeAll(async () => {
    url = await server.start();
  });
  afterAll(async () => {
    await portal?.stop();
    server.stop();
  });
  afterEach(() => server.received.splice(0));

  test('gets sender, recipient, subject and text', async () => {
    await smtp(url, 'Solar <solar@example.com>')(mail);
    expect(server.received).toMatchObject([{ from: 'solar@example.com', to: ['someone@example.com'] }]);
    const source = server.received[0]?.source ?? '';
    expect(source).toContain('From: Solar <solar@example.com>');
    expect(source).toContain('Auto-Submitted: auto-generated');
    expect(source).toContain(`Message-ID: <${mail.id}@sonnenwarte>`);
  });

  test('that refuses the first try gets the mail again, and the log never has its text', async () => {
    const logger = pino({ level: 'info' }, { write: (line: string) => void log.push(line) });
    portal = await startTestPortal({ SMTP_URL: url, MAIL_FROM: 'solar@example.com' }, logger);
    const { db } = portal.server.stores;
    server.answers.push('451 not now');
    await sendMail(db, { to: 'patient@example.com', subject: 'Hello', text: 'secret-link-text' });
    await expect
      .poll(() => db.selectFrom('mails').select(['attempts', 'sent_at', 'body', 'last_error']).execute(), {
        timeout: 45_000,
      })
      .toEqual([{ attempts: 2, sent_at: expect.any(Date), body: '', last_error: '' }]);
    expect(server.received).toMatchObject([{ to: ['patient@example.com'] }]);
    expect(server.received[0]?.source).toContain('secret-link-text');
    const text = log.join('');
    expect(text).toContain('mail for patient@example.com is in 127.0.0.1');
    expect(text).toContain('mail for patient@example.com was not taken');
    expect(text).not.toContain('secret-link-text');
  });
});

test('a mail that is queued twice is sent once', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sonnenwarte-mail-twice-'));
  const portal = await startTestPortal({ DATA_DIR: dataDir });
  try {
    const { db } = portal.server.stores;
    await sendMail(db, { to: 'once@example.com', subject: 'One', text: 'one' });
    await mailTo(dataDir, 'once@example.com');
    const { id } = await db.selectFrom('mails').select('id').executeTakeFirstOrThrow();
    const { addJob } = await import('../jobs/jobs.ts');
    await addJob(db, 'mail.send', { id });
    await sendMail(db, { to: 'later@example.com', subject: 'Two', text: 'two' });
    await mailTo(dataDir, 'later@example.com');
    expect(readOutbox(dataDir).filter(({ to }) => to === 'once@example.com')).toHaveLength(1);
  } finally {
    await portal.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test.each(languages)('the texts in %s leave no place unfilled and keep the link whole', (language) => {
  const link = 'https://solar.example.com/resetPassword#code=abc';
  const texts = [
    mailText('resetPassword', language, { user: 'helga', link, minutes: '30', portal: 'Sonnenwarte' }),
    mailText('confirmEmail', language, { user: 'helga', link, days: '7', portal: 'Sonnenwarte' }),
    mailText('emailInUse', language, { user: 'helga', link, portal: 'Sonnenwarte' }),
  ];
  for (const { subject, text } of texts) {
    expect(subject).toMatch(/^[^\n{}]+$/);
    expect(text).not.toMatch(/[{}]/);
    expect(text).toContain(`\n\n${link}\n\n`);
    expect(text).toContain('helga');
    expect(text).toMatch(/\n\nSonnenwarte\n$/);
  }
});
