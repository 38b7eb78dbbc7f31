import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { list } from '@sonnenwarte/contract/dataloggers/dataloggers';
import { importFile } from '@sonnenwarte/contract/dataloggers/managing';
import { add } from '@sonnenwarte/contract/site-form/site-form';
import { chromium, type Download, type Page } from 'playwright-core';
import { expect, inject, onTestFinished, test } from 'vitest';
import { callApi, openSession } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { qrPicture, writeCameraVideo } from '../support/camera-video.ts';
import { connectDatalogger, publishUp } from '../support/dataloggers.ts';
import { portalUrl, sessionOf } from '../support/demo.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { newAccount, PASSWORD } from '../support/new-account.ts';
import { openPage, signIn } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { importSpares } from '../support/spare-dataloggers.ts';
import { textOf } from '../support/texts.ts';

const t = (key: string, values: Record<string, string | number> = {}) => textOf(key, 'en', values);
const button = (page: Page, key: string, values: Record<string, string | number> = {}) =>
  page.getByRole('button', { name: t(key, values), exact: true });

/** Chooses in the menu at the title of a datalogger what is rarely done with it. */
async function chooseOf(page: Page, name: string, key: string): Promise<void> {
  await button(page, 'blocks.actionsFor', { name }).click();
  await page.getByRole('menuitem', { name: t(key), exact: true }).click();
}

/** What a file says that the browser was given. */
async function textOfFile(download: Download): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

let made = 0;
const freshSn = (): string => {
  made += 1;
  return `61${Date.now() % 10 ** 10}${made}`.padEnd(15, '0');
};

async function signedIn(user: string, size: 'desktop' | 'phone' = 'desktop', film?: string): Promise<Page> {
  const server =
    film === undefined
      ? undefined
      : await launchBrowser([
          '--use-fake-device-for-media-stream',
          '--use-fake-ui-for-media-stream',
          `--use-file-for-fake-video-capture=${film}`,
        ]);
  if (server) onTestFinished(() => server.close());
  const { page } = await openPage({
    language: 'en',
    size,
    ...(server && { browser: await chromium.connect(server.wsEndpoint()) }),
  });
  await visit(page, '/login');
  await signIn(page, user, PASSWORD);
  await page.waitForURL('**/bus/index');
  await untilSettled(page);
  return page;
}

/** An installer of its own, with a plant that has a datalogger. */
async function installerWithPlant() {
  const user = await newAccount('installer');
  const { token } = await openSession(portalUrl(), user, PASSWORD);
  const [first] = await importSpares(inject('dataDir'), 1);
  const { stationID } = await callApi(
    portalUrl(),
    add,
    {
      name: 'House by the lake',
      type: 2,
      country: 'DE',
      city: 'Prien',
      ianaTimezone: 'Europe/Berlin',
      currency: 'EUR',
      systemCapacity: 9.9,
      modules: first ? [first] : [],
    },
    token,
  );
  return { user, token, stationID, first };
}

test('an installer imports a file of a German spreadsheet: wrong rows are told by line, the others get passwords, once', async () => {
  const user = await newAccount('installer');
  const page = await signedIn(user);
  await visit(page, '/bus/device/module');
  await button(page, 'dataloggers.action.import').click();
  const [one, two] = [freshSn(), freshSn()];
  const file = `\uFEFFSN;Typ;Modell\r\n${one};WiFi;"Stick; klein"\r\n12345;WiFi;\r\n="${two}";4G;\r\n${one};;\r\n`;
  await page
    .getByLabel(t('dataloggers.import.file'))
    .setInputFiles({ name: 'logger.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
  const problems = page.getByRole('list', { name: t('dataloggers.import.problems') }).getByRole('listitem');
  // The words of a refusal are fetched once its number is there.
  await expect
    .poll(() => problems.allInnerTexts())
    .toEqual([
      expect.stringMatching(/Line 3[\s\S]*Invalid SN[\s\S]*12345/),
      expect.stringMatching(/Line 5[\s\S]*two identical/),
    ]);
  await takeScreenshot(page, 'dataloggers-import-light');
  expect(await axeViolations(page, 'import of serial numbers')).toEqual([]);
  await button(page, 'dataloggers.import.onlyGood', { number: '2' }).click();
  await page.getByText(t('dataloggers.imported.count', { number: '2' })).waitFor();
  const download = page.waitForEvent('download');
  await button(page, 'dataloggers.imported.download').click();
  const saved = (await textOfFile(await download)).trim().split('\r\n');
  expect(saved).toEqual([
    'sn,key,password',
    expect.stringMatching(new RegExp(`^${one},[A-Z0-9-]{14},[a-z2-7]{26}$`)),
    expect.stringMatching(new RegExp(`^${two},[A-Z0-9-]{14},[a-z2-7]{26}$`)),
  ]);
  await takeScreenshot(page, 'dataloggers-imported-light');
  await button(page, 'dataloggers.password.close').click();
  await page.getByRole('row', { name: new RegExp(one) }).waitFor();
  expect(await page.getByRole('row', { name: new RegExp(one) }).innerText()).toContain(t('dataloggers.state.free'));
  // What was taken over is that of the file, and the password gets the datalogger in.
  const password = saved[1]?.split(',')[2] ?? '';
  const client = await connectDatalogger(inject('mqttUrl'), one, password);
  await client.endAsync(true);
});

test('on a phone at the plant: the label of a datalogger is scanned, it is linked, and comes alive before the eyes', async () => {
  const { user, token, stationID } = await installerWithPlant();
  const sn = freshSn();
  const { credentials } = await callApi(portalUrl(), importFile, { file: sn }, token);
  const [{ key = '', password = '' } = {}] = credentials;
  const folder = mkdtempSync(path.join(tmpdir(), 'camera-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const film = path.join(folder, 'label.y4m');
  writeCameraVideo(film, [qrPicture(`SN:${sn};KEY:${key}`)]);
  const page = await signedIn(user, 'phone', film);
  await visit(page, '/bus/device/module');
  await button(page, 'dataloggers.action.bind').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: t('dataloggers.field.stationID') }).fill('lake');
  await page.getByRole('option', { name: /House by the lake/ }).click();
  await dialog.getByRole('button', { name: t('dataloggers.bind.scan') }).click();
  await expect.poll(() => dialog.locator('[name="sn"]').inputValue(), { timeout: 30_000 }).toBe(sn);
  expect(await dialog.locator('[name="key"]').inputValue()).toBe(key);
  await takeScreenshot(page, 'dataloggers-bind-phone-light');
  expect(await axeViolations(page, 'linking a datalogger')).toEqual([]);
  await dialog.getByRole('button', { name: t('dataloggers.action.bind'), exact: true }).click();
  await page.getByText(t('dataloggers.bind.waiting')).waitFor();
  const client = await connectDatalogger(inject('mqttUrl'), sn, password);
  onTestFinished(() => client.endAsync(true));
  await publishUp(client, sn, {
    dev: `LAKE-${sn}`,
    kind: 'inverter',
    v: { 'AC/ActivePower': 1200, 'DC/Power': 1250, 'Energy/PvTotal': 10 },
  });
  await page.getByText(t('dataloggers.bind.heard')).waitFor({ timeout: 30_000 });
  await expect
    .poll(() => page.getByRole('dialog').innerText(), { timeout: 30_000 })
    .toContain(t('dataloggers.heardOf', { heard: '1', all: '1' }));
  await takeScreenshot(page, 'dataloggers-alive-phone-light');
  await button(page, 'dataloggers.bind.close').click();
  const { data } = await callApi(portalUrl(), list, { condition: { moduleSN: sn } }, token);
  expect(data).toMatchObject([{ stationID, communication: 1 }]);
});

test('an installer opens a datalogger and unlinks it; an administrator deletes it by its serial number', async () => {
  const { user, first } = await installerWithPlant();
  const sn = first?.sn ?? '';
  const page = await signedIn(user);
  await visit(page, '/bus/device/module');
  await page.getByRole('row', { name: new RegExp(sn) }).click();
  await page.waitForURL('**/bus/device/moduleConfig?**');
  await page.getByRole('heading', { name: sn, level: 1 }).waitFor();
  await page.getByRole('cell', { name: t('dataloggers.done.link'), exact: true }).waitFor();
  await takeScreenshot(page, 'dataloggers-detail-light');
  expect(await axeViolations(page, 'a datalogger')).toEqual([]);
  await chooseOf(page, sn, 'dataloggers.action.unbind');
  const question = page.getByRole('dialog');
  await question.getByText(t('dataloggers.ask.unbind.text')).waitFor();
  await question.getByRole('button', { name: t('dataloggers.action.unbind'), exact: true }).click();
  await page.getByRole('cell', { name: t('dataloggers.done.unbind'), exact: true }).waitFor();
  await page.getByText(t('dataloggers.state.free'), { exact: true }).locator('visible=true').first().waitFor();

  const { token } = await sessionOf('admin');
  const { data } = await callApi(portalUrl(), list, { condition: { moduleSN: sn } }, token);
  const { page: desk } = await openPage({ user: 'admin', language: 'en' });
  await visit(desk, `/bus/device/moduleConfig?id=${data[0]?.moduleID}`);
  await chooseOf(desk, sn, 'dataloggers.action.delete');
  const asked = desk.getByRole('dialog');
  await asked.getByRole('textbox').fill(sn);
  await asked.getByRole('button', { name: t('dataloggers.action.delete'), exact: true }).click();
  await expect
    .poll(async () => (await callApi(portalUrl(), list, { condition: { moduleSN: sn } }, token)).total)
    .toBe(0);
});
