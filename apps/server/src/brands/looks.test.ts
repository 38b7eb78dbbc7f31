import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forgotPassword } from '@sonnenwarte/contract/accounts/accounts';
import { brandEndpoints as calls } from '@sonnenwarte/contract/brands/brands';
import type { Endpoint, Input, Result } from '@sonnenwarte/contract/endpoint';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendMail } from '../mail/mail.ts';
import { plainJpeg } from '../testing/jpeg.ts';
import { signedRequest, startTestPortal, type TestPortal } from '../testing/portal.ts';
import { type ReceivedMail, SmallSmtpServer } from '../testing/small-smtp-server.ts';

const PAGE = `<!doctype html><html><head><link rel="icon" type="image/svg+xml" href="data:image/svg+xml,x" />
<link rel="apple-touch-icon" href="/apple-touch-icon.png" /><title>Sonnenwarte</title></head>
<body><div id="root"><div class="opening"><svg></svg><p>Sonnenwarte</p></div></div></body></html>`;
const HOST = 'helios.example';

const smtp = new SmallSmtpServer();
let webFolder = '';
let portal: TestPortal;
let token = '';
let logo = '';
let brandID = '';

beforeAll(async () => {
  webFolder = mkdtempSync(join(tmpdir(), 'sonnenwarte-brands-'));
  mkdirSync(join(webFolder, 'assets'));
  writeFileSync(join(webFolder, 'index.html'), PAGE);
  writeFileSync(
    join(webFolder, 'manifest.webmanifest'),
    JSON.stringify({ name: 'Sonnenwarte', display: 'standalone' }),
  );
  portal = await startTestPortal(
    {
      WEB_DIST: webFolder,
      SMTP_URL: await smtp.start(),
      MAIL_FROM: 'Sonnenwarte <solar@portal.example>',
      PUBLIC_URL: 'https://portal.example',
    },
    undefined,
    { apiOnly: false },
  );
  token = await portal.sessionOf('admin');
  logo = await uploadedLogo();
});
afterAll(async () => {
  await portal?.stop();
  smtp.stop();
  rmSync(webFolder, { recursive: true, force: true });
});

async function uploadedLogo(): Promise<string> {
  const [url, { headers }] = signedRequest(portal.url, calls.uploadLogo, {}, { token });
  const { 'content-type': _, ...others } = headers as Record<string, string>;
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(await plainJpeg(64, 32))]));
  const response = await fetch(url, { method: 'POST', headers: others, body });
  return ((await response.json()) as { result: Result<typeof calls.uploadLogo> }).result.logo;
}

async function done<const E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Result<E>> {
  const answer = await portal.call(endpoint, input, { token });
  expect(answer).toMatchObject({ errno: 0 });
  return answer.result as Result<E>;
}

interface Got {
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** What is answered under a name by which the portal was reached. */
const got = (path: string, host: string, more: Record<string, string> = {}): Promise<Got> =>
  new Promise((resolve, reject) => {
    request(portal.url + path, { headers: { host, accept: 'text/html', ...more } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ text, headers: response.headers }));
    })
      .on('error', reject)
      .end();
  });

const heliosIs = (more: Partial<Input<typeof calls.add>> = {}): Input<typeof calls.add> => ({
  name: 'Helios & Söhne <b>',
  domain: HOST,
  colour: '#ffd400',
  logo,
  downloadLink: 'https://helios.example/downloads',
  ...more,
});

test('the page under the domain of a brand has its name, logo, colour and links, whatever the port', async () => {
  ({ brandID } = await done(calls.add, heliosIs()));
  for (const host of [HOST, `${HOST}:8080`, 'HELIOS.example']) {
    const { text, headers } = await got('/login', host);
    expect(text).toContain('<title>Helios &amp; Söhne &lt;b&gt;</title>');
    expect(text).toContain(`<img src="/c/v0/brand/logo?key=${logo}"`);
    expect(text).toContain('<p>Helios &amp; Söhne &lt;b&gt;</p>');
    expect(text).not.toContain('Sonnenwarte');
    expect(text).toContain('https://helios.example/downloads');
    expect(text).toMatch(/--brand-text:light-dark\(#[0-9a-f]{6},#ffd400\)/);
    const nonce = /<style nonce="([^"]+)">/.exec(text)?.[1];
    expect(nonce).toBeDefined();
    expect(headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
  }
  const manifest = JSON.parse((await got('/manifest.webmanifest', HOST)).text);
  expect(manifest).toMatchObject({ name: 'Helios & Söhne <b>', display: 'standalone' });
});

test('only a name that is known to the letter shows a brand, and nothing of another comes back', async () => {
  const odd = [
    'portal.example',
    `${HOST}.evil.example`,
    `evil-${HOST}`,
    `www.${HOST}`,
    `${HOST}.`,
    `${HOST}@evil.example`,
    `evil.example?${HOST}`,
    '"><script>alert(1)</script>',
    'localhost',
  ];
  const { text: own } = await got('/login', '127.0.0.1');
  const plain = (text: string) => text.replaceAll(/nonce-[^']+|nonce="[^"]+"/g, '');
  for (const host of odd) {
    const { text, headers } = await got('/login', host);
    if (text.includes('"status":400')) continue;
    expect(plain(text)).toBe(plain(own));
    expect(text).toContain('<title>Sonnenwarte</title>');
    expect(JSON.stringify(headers)).not.toContain('evil');
  }
  // What somebody writes who is no proxy of this portal does not count.
  expect((await got('/login', 'portal.example', { 'x-forwarded-host': HOST })).text).toContain('<title>Sonnenwarte');
});

const nextMail = async (to: string): Promise<ReceivedMail & { plain: string }> => {
  const mail = await expect
    .poll(() => smtp.received.find((each) => each.to.includes(to)), { timeout: 30_000 })
    .toBeDefined()
    .then(() => smtp.received.splice(0).find((each) => each.to.includes(to)));
  if (mail === undefined) throw new Error(`no mail to ${to}`);
  const joined = mail.source.replaceAll(/=\r?\n/g, '');
  const bytes = joined.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return { ...mail, plain: Buffer.from(bytes, 'latin1').toString('utf8') };
};

test('a mail to people of a brand has its sender, name, logo and colour, and leads to the portal under its domain', async () => {
  const { db } = portal.server.stores;
  const owner = await db
    .selectFrom('accounts')
    .select(['id', 'organisation_id', 'email'])
    .where('username', '=', 'owner')
    .executeTakeFirstOrThrow();
  const organisationID = owner.organisation_id;
  await done(calls.edit, {
    brandID,
    ...heliosIs({ name: 'Helios', organisationID, mailAddress: 'post@helios.example' }),
  });
  await portal.call(forgotPassword, { user: 'owner' }, {});
  const mail = await nextMail(owner.email);
  expect(mail.from).toBe('post@helios.example');
  expect(mail.source).toMatch(/^From: Helios <post@helios\.example>/m);
  expect(mail.plain).toContain('https://helios.example/resetPassword#code=');
  expect(mail.plain).not.toContain('portal.example/');
  expect(mail.plain).not.toContain('Sonnenwarte\n');
  expect(mail.plain).toContain('\nHelios\r\n');
  expect(mail.plain).toContain('src="cid:logo"');
  expect(mail.source).toContain('Content-ID: <logo>');
  expect(mail.source).toContain('Content-Type: image/png');
  // In a shade that is read on white.
  expect(mail.plain).toMatch(/<a href="https:\/\/helios[^>]+ style="color:#(?!ffd400)[0-9a-f]{6}"/);
});

test('without an address of its own a brand sends by that of the portal; what is no markup of ours stays text', async () => {
  await done(calls.edit, { brandID, ...heliosIs({ name: 'Helios "X" <a@evil.example>' }) });
  const { db } = portal.server.stores;
  const text = 'Plant <b>Sun</b>:\n\nhttps://portal.example/bus/alarm?x=1&y=2';
  await sendMail(db, { to: 'somebody@example.com', subject: 'Alarm', text, brandId: brandID });
  const mail = await nextMail('somebody@example.com');
  expect(mail.from).toBe('solar@portal.example');
  expect(mail.plain).toContain('Plant &lt;b&gt;Sun&lt;/b&gt;:');
  expect(mail.plain).toContain('href="https://helios.example/bus/alarm?x=1&amp;y=2"');
});

test('a deleted brand leaves its domain and its mails to the portal’s own name', async () => {
  await done(calls.remove, { brandID });
  expect((await got('/login', HOST)).text).toContain('<title>Sonnenwarte</title>');
  const { db } = portal.server.stores;
  await sendMail(db, { to: 'later@example.com', subject: 'Hello', text: 'Hello' });
  const mail = await nextMail('later@example.com');
  expect(mail.source).toContain('From: Sonnenwarte <solar@portal.example>');
  expect(mail.source).not.toContain('text/html');
});
