import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { places } from '@sonnenwarte/contract/map/places';
import { form as siteForm } from '@sonnenwarte/contract/site-form/site-form';
import { list } from '@sonnenwarte/contract/sites/sites';
import { chromium, type Page } from 'playwright-core';
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { callApi, openSession } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { barPicture, qrPicture, writeCameraVideo } from '../support/camera-video.ts';
import { portalUrl, sessionOf } from '../support/demo.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { newAccount, PASSWORD } from '../support/new-account.ts';
import { openPage, signIn } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { importSpares } from '../support/spare-dataloggers.ts';
import { textOf } from '../support/texts.ts';
import { waitUntil } from '../support/wait-until.ts';

/** The first search of a portal reads the names of all places, which takes its time on a busy machine. */
beforeAll(async () => {
  const { token } = await sessionOf('installer');
  const search = () => callApi(portalUrl(), places, { search: 'Freising' }, token).catch(() => undefined);
  await waitUntil('names of places', async () => ((await search())?.places.length ?? 0) > 0, { timeoutMs: 90_000 });
}, 100_000);

const t = (key: string, values: Record<string, string | number> = {}) => textOf(key, 'en', values);
const field = (page: Page, name: string) => page.locator(`[name="${name}"]`);

/** A phone whose camera shows a film; without one it has no camera that it may use. */
async function phoneWith(user: string, film?: string): Promise<Page> {
  const server = await launchBrowser(
    film === undefined
      ? []
      : [
          '--use-fake-device-for-media-stream',
          '--use-fake-ui-for-media-stream',
          `--use-file-for-fake-video-capture=${film}`,
        ],
  );
  onTestFinished(() => server.close());
  const browser = await chromium.connect(server.wsEndpoint());
  const { page } = await openPage({ language: 'en', size: 'phone', browser });
  await visit(page, '/login');
  await signIn(page, user, PASSWORD);
  await page.waitForURL('**/bus/index');
  await untilSettled(page);
  await visit(page, '/bus/plant/add');
  return page;
}

const step = (page: Page, section: string) =>
  page
    .getByRole('button', { name: t('site-form.next', { section: t(`site-form.section.${section}`) }), exact: true })
    .click();
const scan = (page: Page) => page.getByRole('radio', { name: t('site-form.module.scan') }).click();

test('an installer adds a plant on a phone by scanned codes; each counts once, and is checked as a typed one is', async () => {
  const user = await newAccount('installer');
  const [one, other] = await importSpares(inject('dataDir'), 2);
  if (!one || !other) throw new Error('No datalogger was imported');
  const folder = mkdtempSync(path.join(tmpdir(), 'camera-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const film = path.join(folder, 'labels.y4m');
  writeCameraVideo(film, [qrPicture(`SN:${one.sn};KEY:${one.key}`), barPicture(other.sn), qrPicture('4006381333931')]);
  const page = await phoneWith(user, film);
  await field(page, 'name').fill('Garage');
  await field(page, 'type').selectOption('1');
  await step(page, 'place');
  await page.getByRole('combobox', { name: t('site-form.place.search') }).fill('Freising');
  await page
    .getByRole('option', { name: /Freising/ })
    .first()
    .click();
  await expect.poll(() => field(page, 'currency').inputValue()).toBe('EUR');
  for (const section of ['arrays', 'prices', 'modules']) await step(page, section);

  await scan(page);
  const told = await page.evaluateHandle(() => {
    const texts = new Set<string>();
    const note = () => {
      for (const status of document.querySelectorAll('[role=status]')) texts.add(status.textContent ?? '');
    };
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
    return texts;
  });
  // The key of the one stood in its code, that of the other is asked for.
  await expect.poll(() => page.locator('li[data-state=ready]').count(), { timeout: 30_000 }).toBe(1);
  await expect.poll(() => page.locator('li[data-state=wrong]').count(), { timeout: 30_000 }).toBe(1);
  await expect
    .poll(() => told.evaluate((texts) => [...texts]), { timeout: 30_000 })
    .toContain(t('site-form.scan.foreign'));
  await takeScreenshot(page, 'site-form-scan-phone-light');
  expect(await axeViolations(page, 'scanning')).toEqual([]);
  const rows = page.getByRole('list', { name: t('site-form.section.modules') }).getByRole('listitem');
  expect(await rows.count()).toBe(2);
  const wrong = page.locator('li[data-state=wrong]');
  await wrong.getByRole('textbox', { name: t('site-form.field.key') }).fill(other.key);
  await wrong.getByRole('textbox', { name: t('site-form.field.key') }).press('Enter');
  await expect.poll(() => page.locator('li[data-state=ready]').count()).toBe(2);

  // The camera goes with the step.
  await step(page, 'contacts');
  await expect.poll(() => page.locator('video').count()).toBe(0);
  await page.getByRole('button', { name: t('site-form.submit.add'), exact: true }).click();
  await page.waitForURL('**/bus/plant/detail?**');
  const { token } = await openSession(portalUrl(), user, PASSWORD);
  const { plants } = await callApi(portalUrl(), list, {}, token);
  const { modules } = await callApi(portalUrl(), siteForm, { stationID: plants[0]?.stationID ?? '' }, token);
  expect(modules.map(({ sn }) => sn).toSorted()).toEqual([one.sn, other.sn].toSorted());
});

test('where the camera may not be used, or there is none, that is said with what to do, and the number is typed', async () => {
  const user = await newAccount('installer');
  const page = await phoneWith(user);
  for (const section of ['place', 'arrays', 'prices', 'modules']) await step(page, section);
  for (const [name, text] of [
    ['NotAllowedError', 'denied'],
    ['NotFoundError', 'absent'],
  ] as const) {
    await page.evaluate((error) => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', error));
    }, name);
    await scan(page);
    await page
      .getByRole('alert')
      .getByText(t(`site-form.scan.${text}`))
      .waitFor();
    expect(await page.getByRole('radio', { name: t('site-form.module.type') }).isChecked()).toBe(true);
    await field(page, 'entry.sn').waitFor();
  }
  expect(await axeViolations(page, 'refused')).toEqual([]);
});
