import { Buffer } from 'node:buffer';
import { list as brandList, remove as removeBrand } from '@sonnenwarte/contract/brands/brands';
import { real } from '@sonnenwarte/contract/devices/devices';
import { list as documentList, remove as removeDocument } from '@sonnenwarte/contract/documents/documents';
import { chromium, type Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { pdfOf } from '../../apps/server/src/testing/pdf.ts';
import { callApi } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { portalUrl, sessionOf } from '../support/demo.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { openPage, showScheme } from '../support/page.ts';
import { stopsOf } from '../support/screens.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const t = (key: string, values: Record<string, string | number> = {}) => textOf(key, 'en', values);
const buttonOf = (page: Page, key: string) => page.getByRole('button', { name: t(key), exact: true });
const pdf = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/pdf', buffer });

/** A logo as a designer hands it over: dark words, seen through. */
async function logo(page: Page): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const base64 = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 420;
    canvas.height = 120;
    const paper = canvas.getContext('2d');
    if (paper !== null) {
      paper.fillStyle = '#f2a900';
      paper.arc(60, 60, 44, 0, 2 * Math.PI);
      paper.fill();
      paper.fillStyle = '#1c2b33';
      paper.font = '700 72px sans-serif';
      paper.fillText('HELIOS', 124, 86);
    }
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  });
  return { name: 'helios.png', mimeType: 'image/png', buffer: Buffer.from(base64, 'base64') };
}

test('the administrator uploads manuals; an installer finds the one of a device there and reads it', async () => {
  const { token } = await sessionOf('admin');
  const inverter = (await stopsOf('installer')).find(({ name }) => name.startsWith('device-inverter-detail'));
  const deviceID = new URLSearchParams(inverter?.address.split('?')[1]).get('id') ?? '';
  const { device } = await callApi(portalUrl(), real, { deviceID }, (await sessionOf('installer')).token);
  const name = `Handbook ${Date.now()}`;
  onTestFinished(async () => {
    const { documents } = await callApi(portalUrl(), documentList, { condition: { content: name } }, token);
    for (const { documentID } of documents) await callApi(portalUrl(), removeDocument, { documentID }, token);
  });

  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/doc/manual');
  await buttonOf(page, 'documents.action.add').first().click();
  const adding = page.getByRole('dialog');
  await adding
    .locator('input[type=file]')
    .setInputFiles([
      pdf('HX_manual_en.pdf', pdfOf(['Torque of the AC terminals: 1.8 Nm', 'Second page', 'Third page'])),
      pdf('letter.pdf', Buffer.from('a letter that is no PDF')),
    ]);
  await adding.locator('[name="documents.0.name"]').waitFor();
  await adding.getByText(t('documents.upload.failed')).waitFor();
  expect(await adding.locator('[name="documents.0.name"]').inputValue()).toBe('HX manual en');
  expect(await adding.locator('[name="documents.0.language"]').inputValue()).toBe('en');
  await adding.locator('[name="documents.0.name"]').fill(name);
  await adding.locator('[name="documents.0.product"]').selectOption('inverter');
  await adding.locator('[name="documents.0.models"]').fill(device.deviceType);
  expect(await axeViolations(page, 'manuals being uploaded')).toEqual([]);
  await takeScreenshot(page, 'documents-upload-light');
  await showScheme(page, 'dark');
  await takeScreenshot(page, 'documents-upload-dark');
  await showScheme(page, 'light');
  await adding.getByRole('button', { name: t('documents.save'), exact: true }).click();
  await adding.waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: device.deviceType }).or(page.getByText(name)).first().waitFor();
  await takeScreenshot(page, 'documents-light');

  const { page: installer } = await openPage({ user: 'installer', language: 'en' });
  await visit(installer, inverter?.address ?? '');
  await installer.getByRole('button', { name }).click();
  const reader = installer.getByRole('dialog', { name });
  await reader.getByText(t('documents.viewer.page', { page: 1, count: 3 })).waitFor();
  await reader.getByText('Torque of the AC terminals: 1.8 Nm').waitFor({ state: 'attached' });
  const isDrawn = () =>
    reader
      .locator('canvas')
      .first()
      .evaluate((canvas: HTMLCanvasElement) => {
        const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
        let inked = 0;
        for (let at = 0; at < pixels.length; at += 4) if ((pixels[at] ?? 255) < 128) inked += 1;
        return inked > 1_000;
      });
  await expect.poll(isDrawn).toBe(true);
  await takeScreenshot(installer, 'document-reader-light');
  await showScheme(installer, 'dark');
  expect(await axeViolations(installer, 'a manual being read')).toEqual([]);
  await takeScreenshot(installer, 'document-reader-dark');
  await reader
    .getByRole('figure', { name: t('documents.viewer.page', { page: 3, count: 3 }) })
    .scrollIntoViewIfNeeded();
  await reader.getByText('Third page').waitFor({ state: 'attached' });

  const { page: phone } = await openPage({ user: 'installer', language: 'de', size: 'phone' });
  await visit(phone, '/bus/doc/manual');
  await phone.getByText(name).first().waitFor();
  await takeScreenshot(phone, 'documents-phone-light');
  await phone.getByText(name).first().click();
  await phone.getByRole('dialog').locator('canvas').first().waitFor();
  await phone.getByText('Torque of the AC terminals: 1.8 Nm').waitFor({ state: 'attached' });
  await takeScreenshot(phone, 'document-reader-phone-light');
});

test('the administrator makes a brand for a domain, and the sign-in page reached by it looks so, light and dark', async () => {
  const { token } = await sessionOf('admin');
  const domain = `helios-${Date.now()}.example`;
  const brandsHere = async () =>
    (await callApi(portalUrl(), brandList, { condition: { content: domain } }, token)).brands;
  onTestFinished(async () => {
    for (const { brandID } of await brandsHere()) await callApi(portalUrl(), removeBrand, { brandID }, token);
  });
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/doc/brand');
  await buttonOf(page, 'brands.action.add').first().click();
  const adding = page.getByRole('dialog');
  await adding.locator('[name=name]').fill('Helios Energie');
  await adding.locator('[name=domain]').fill(domain);
  await adding.locator('[name=colour]').fill('#f2a900');
  // Too pale for white: the shade that is shown there is told before anything is saved.
  await adding
    .getByText(t('brands.colour.lightShade', { contrast: '', shade: '' }).split(':')[0] ?? '')
    .first()
    .waitFor();
  await adding.locator('input[type=file]').setInputFiles(await logo(page));
  await adding.getByRole('img', { name: t('brands.field.logo') }).waitFor();
  await adding.locator('[name=downloadLink]').fill('https://helios.example/downloads');
  expect(await axeViolations(page, 'a brand being made')).toEqual([]);
  await takeScreenshot(page, 'brand-form-light');
  await showScheme(page, 'dark');
  expect(await axeViolations(page, 'a brand being made in the dark')).toEqual([]);
  await takeScreenshot(page, 'brand-form-dark');
  await showScheme(page, 'light');
  await adding.getByRole('button', { name: t('brands.action.add'), exact: true }).click();
  await adding.waitFor({ state: 'detached' });
  await page.getByText(domain).first().waitFor();
  await takeScreenshot(page, 'brands-light');
  const [brand] = await brandsHere();
  expect(brand).toMatchObject({ name: 'Helios Energie', colour: '#f2a900', logoWidth: 420, logoHeight: 120 });

  // Reached by its domain, as the browser finds it.
  const server = await launchBrowser([`--host-resolver-rules=MAP ${domain} 127.0.0.1`]);
  onTestFinished(() => server.close());
  const browser = await chromium.connect(server.wsEndpoint());
  const { port } = new URL(portalUrl());
  // Said of every page without https that is not of this machine.
  const expected = [/Cross-Origin-Opener-Policy/, /origin-keyed agent cluster/];
  const at = { language: 'en', url: `http://${domain}:${port}`, browser, expected } as const;
  const { page: branded } = await openPage(at);
  await visit(branded, '/login');
  expect(await branded.title()).toBe(`${t('login.title')} · Helios Energie`);
  await branded.getByText('Helios Energie', { exact: true }).first().waitFor();
  const mark = branded.locator(`img[src*="${brand?.logo}"]`).first();
  await expect.poll(() => mark.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(420);
  expect(await branded.getByText('Sonnenwarte', { exact: true }).count()).toBe(0);
  await branded.getByRole('link', { name: t('login.brand.download') }).waitFor();
  const groundOf = () =>
    branded.locator('button[type=submit]').evaluate((one) => getComputedStyle(one).backgroundColor);
  const light = await groundOf();
  expect(await axeViolations(branded, 'the sign-in page of a brand')).toEqual([]);
  await takeScreenshot(branded, 'brand-login-light');
  await showScheme(branded, 'dark');
  expect(await groundOf()).not.toBe(light);
  expect(await axeViolations(branded, 'the sign-in page of a brand in the dark')).toEqual([]);
  await takeScreenshot(branded, 'brand-login-dark');

  // Signed in, the shell has it too; by any other name the portal is itself.
  const { page: within } = await openPage({ ...at, user: 'owner' });
  await visit(within, '/bus/plant/view');
  await within.getByRole('link', { name: 'Helios Energie' }).waitFor();
  expect(await within.title()).toContain('Helios Energie');
  await takeScreenshot(within, 'brand-shell-light');
  const { page: plain } = await openPage({ language: 'en' });
  await visit(plain, '/login');
  expect(await plain.title()).toBe(`${t('login.title')} · Sonnenwarte`);
});
