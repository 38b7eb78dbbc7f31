import { monthlyReportEndpoints as calls } from '@sonnenwarte/contract/monthly-reports/monthly-reports';
import { daysOfMonth } from '@sonnenwarte/energy/calendar';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../changes/live-clock.ts';
import { readConfig } from '../config.ts';
import { addJob, Jobs, type RunningJobs, startJobs } from '../jobs/jobs.ts';
import { feature as mailFeature } from '../mail/feature.ts';
import { PdfMaker } from '../papers/pdf-maker.ts';
import type { Services } from '../services.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { readPdf } from '../testing/read-pdf.ts';
import { addBrandOf, reckonedDays } from '../testing/report-months.ts';
import { SmallSmtpServer } from '../testing/small-smtp-server.ts';
import { MAIL_REPORT, mailNext } from './mail-reports.ts';
import { takeDue } from './monthly-reports.store.ts';
import { pdfThread, type SheetTask } from './pdf/sheet.ts';

const logger = pino({ level: process.env.TEST_LOG ?? 'silent' });
const server = new SmallSmtpServer();
let plants: PlantsFixture;
let maker: PdfMaker<SheetTask>;
let smtpUrl: string;
let running: RunningJobs | undefined;
let site: { id: string; key: number };
let owner: { id: string };

const nowMs = () => plants.time.nowMs ?? Date.now();
const at = (text: string): void => {
  plants.time.nowMs = Date.parse(text);
};

/** The jobs of a server, of which each answers once nothing is due any more. */
async function startServer(): Promise<{ work: () => Promise<void> }> {
  const jobs = new Jobs();
  const services = {
    db: plants.db,
    telemetry: plants.stores.telemetry.client,
    nowMs,
    logger,
    publicUrl: () => 'https://solar.example',
  };
  let ended: (() => void) | undefined;
  jobs.on(MAIL_REPORT, async (_, ending) => {
    if (!(await mailNext({ ...services, maker }, ending))) ended?.();
  });
  const config = readConfig({
    DEMO: 'off',
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'solar@example.com',
  });
  mailFeature.bind({} as never, { ...services, jobs, config } as unknown as Services);
  running = await startJobs(jobs, plants.stores.databaseConnection, logger);
  return {
    work: async () => {
      const done = new Promise<void>((resolve) => {
        ended = resolve;
      });
      await addJob(plants.db, MAIL_REPORT);
      await done;
    },
  };
}

async function stopServer(): Promise<void> {
  await running?.stop();
  running = undefined;
}

beforeAll(async () => {
  plants = await PlantsFixture.start();
  at('2026-05-10T10:00:00Z');
  maker = new PdfMaker<SheetTask>(systemClock(nowMs), pdfThread);
  smtpUrl = await server.start();
  const { installerId } = await plants.addInstaller();
  const account = await plants.addAccount(installerId, 1);
  owner = account;
  await plants.db
    .updateTable('accounts')
    .set({ language: 'pl', email: 'owner@example.com', name: 'Jan' })
    .where('id', '=', account.id)
    .execute();
  await addBrandOf(plants, installerId, 'Solar Muster');
  site = await plants.addSite(installerId, { name: 'Dom', owner_account_id: account.id });
  const days = ['2026-05', '2026-06'].flatMap((month) =>
    daysOfMonth(month).map((day) => ({ site: site.key, version: 1, quality: 0, day, pv_wh: 20_000, load_wh: 9_000 })),
  );
  await plants.insert('site_day', days);
  await reckonedDays(plants, site.key, '2026-05');
  await plants.read(calls.mail, { stationID: site.id, isOn: true }, plants.signIn(account));
});
afterAll(async () => {
  await stopServer();
  maker?.stop();
  server.stop();
  await plants?.stop();
});

/** The file of a mail, as its program reads it. */
const attached = (source: string) => {
  const [, head = '', body = ''] =
    /(Content-Type: application\/pdf[\s\S]*?)\r\n\r\n([A-Za-z0-9+/=\r\n]+)\r\n--/.exec(source) ?? [];
  return { head, pdf: readPdf(Buffer.from(body, 'base64')) };
};

test('a report is mailed once, after its month by the clock of the plant, in the language of whoever asked, over runs, kills and restarts', async () => {
  let { work } = await startServer();
  // Four in the morning of Berlin has not come yet.
  at('2026-06-01T01:59:00Z');
  await work();
  expect(server.received).toHaveLength(0);

  at('2026-06-01T02:00:00Z');
  // A server takes it and is killed before it has mailed it.
  expect(await takeDue(plants.db, new Date(nowMs()), 10)).toMatchObject([{ month: '2026-05', accountId: owner.id }]);
  expect(await takeDue(plants.db, new Date(nowMs()), 10)).toEqual([]);
  await work();
  expect(server.received).toHaveLength(0);

  at('2026-06-01T02:11:00Z');
  server.answers.push('451 not now');
  await Promise.all([work(), addJob(plants.db, MAIL_REPORT)]);
  await expect.poll(() => server.received.length, { timeout: 30_000 }).toBe(1);
  await work();
  await stopServer();
  ({ work } = await startServer());
  at('2026-06-04T02:11:00Z');
  await work();
  expect(await plants.db.selectFrom('mails').select('recipient').execute()).toEqual([
    { recipient: 'owner@example.com' },
  ]);
  expect(server.received).toHaveLength(1);

  const { source = '', to } = server.received[0] ?? {};
  expect(to).toEqual(['owner@example.com']);
  expect(source).toContain('From: Solar Muster');
  const { head, pdf } = attached(source);
  expect(head).toContain('Raport_miesi=C4=99czny_2026-05_Dom');
  expect(await pdf).toMatchObject({ language: 'pl', pictures: 1 });
  expect((await pdf).text).toContain('Raport miesięczny');
  await expect.poll(() => plants.db.selectFrom('mail_attachments').select('name').execute()).toEqual([]);
});

test('whom the plant is not shown any more gets no report', async () => {
  at('2026-07-01T08:00:00Z');
  await plants.db.updateTable('sites').set({ owner_account_id: null }).where('id', '=', site.id).execute();
  await stopServer();
  const { work } = await startServer();
  await work();
  expect(server.received).toHaveLength(1);
  expect(await plants.db.selectFrom('monthly_report_receivers').select('site_id').execute()).toEqual([]);
});
