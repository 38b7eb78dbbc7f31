import { info } from '@sonnenwarte/contract/accounts/own-account';
import { list as incidentList } from '@sonnenwarte/contract/incidents/incidents';
import { list as messageList } from '@sonnenwarte/contract/messages/messages';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { portalUrl, sessionOf } from '../support/demo.ts';
import { EdgeInverters } from '../support/edge-inverters.ts';
import { openPage } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';
import { waitUntil } from '../support/wait-until.ts';

const t = (key: string, values: Record<string, string | number> = {}) => textOf(key, 'en', values);
const button = (page: Page, key: string) => page.getByRole('button', { name: t(key), exact: true });
const menuItem = (page: Page, key: string) => page.getByRole('menuitem', { name: t(key), exact: true });
const actionsFor = (page: Page, name: string) =>
  page.getByRole('button', { name: t('blocks.actionsFor', { name }), exact: true });

const PLANT = 'Plant with a watch';

test('an administrator writes a rule, sees before what it would have told, and is told in the inbox while looking', async () => {
  const inverters = await EdgeInverters.start('260000000000741', PLANT, 1);
  const [sn = ''] = inverters.sns;
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/alarm');
  await page.getByRole('link', { name: t('routes.alarm-rules'), exact: true }).click();
  await page.waitForURL('**/bus/alarm/rules');
  await untilSettled(page);

  await button(page, 'alarm-rules.action.add').click();
  const form = page.getByRole('dialog');
  await form.locator('[name=name]').fill('Watch over one plant');
  await form.getByLabel(t('incidents.level.2'), { exact: true }).check();
  await form.getByRole('combobox', { name: t('alarm-rules.field.stationID') }).fill(PLANT);
  await page.getByRole('option', { name: new RegExp(PLANT) }).click();
  await form.locator('[name=delayMinutes]').fill('1');
  await form
    .getByRole('status')
    .filter({ hasText: /message|nothing/ })
    .waitFor();
  expect(await axeViolations(page, 'a rule of alarms')).toEqual([]);
  await takeScreenshot(page, 'alarm-rule-form');
  await form.getByRole('button', { name: t('alarm-rules.action.add'), exact: true }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /Watch over one plant/ }).waitFor();
  expect(await axeViolations(page, 'rules of alarms')).toEqual([]);
  await takeScreenshot(page, 'alarm-rules');

  await actionsFor(page, 'Watch over one plant').click();
  await menuItem(page, 'alarm-rules.action.test').click();
  // In the language of the account, which is that of nobody's browser.
  const { language } = await callApi(portalUrl(), info, {}, (await sessionOf('admin')).token);
  await page
    .getByRole('dialog')
    .getByText(textOf('alarm-rules.told.testTitle', language ?? 'de'))
    .waitFor();
  await page.getByRole('dialog').getByText(t('alarm-rules.tried.arrived')).waitFor();
  await takeScreenshot(page, 'alarm-rule-tested');
  await page.keyboard.press('Escape');

  await visit(page, '/bus/message');
  await page.getByText(t('messages.alarm.test', { place: 'Watch over one plant' })).waitFor();
  await inverters.tells(sn, [{ code: 3001, level: 3, sinceMs: Date.now() - 600_000, extra: '' }]);
  const { token } = await sessionOf('admin');
  const incident = await waitUntil('the incident', async () => {
    const asked = { condition: { content: sn } };
    return (await callApi(portalUrl(), incidentList, asked, token)).incidents[0];
  });
  const row = page.locator('tr[data-key]').filter({ hasText: sn });
  await row.waitFor({ timeout: 120_000 });
  expect(await row.innerText()).toContain(t('alarms.3001.name'));
  expect(await axeViolations(page, 'messages')).toEqual([]);
  await takeScreenshot(page, 'messages');
  await row
    .getByRole('button')
    .filter({ hasText: t('alarms.3001.name') })
    .click();
  await page.waitForURL(`**/bus/alarm/detail?id=${incident.incidentID}`);
  // The click says so to the server while the browser goes on already.
  await expect
    .poll(async () => (await callApi(portalUrl(), messageList, { condition: { content: sn } }, token)).messages)
    .toMatchObject([{ isRead: true }]);

  await visit(page, '/bus/alarm/deliveries');
  await page.getByRole('row', { name: new RegExp(`${PLANT}.*${t('alarm-rules.delivery.sent')}`) }).waitFor();
  expect(await axeViolations(page, 'deliveries of alarms')).toEqual([]);
  await takeScreenshot(page, 'alarm-deliveries');
});

test('an administrator announces something in two languages; an owner reads it on a phone in German, marks and deletes it', async () => {
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/message/announcements');
  await button(page, 'announcements.action.add').click();
  const form = page.getByRole('dialog');
  const headline = `Wartung ${Date.now()}`;
  await form.getByLabel(t('announcements.field.title'), { exact: true }).fill(headline);
  await form
    .getByLabel(t('announcements.field.text'), { exact: true })
    .fill('Am Sonntag von 8 bis 9 Uhr\nwird das Portal erneuert.');
  await form.getByRole('button', { name: t('announcements.action.addLanguage') }).click();
  await form.getByLabel(t('announcements.field.title'), { exact: true }).nth(1).fill('Maintenance');
  expect(await axeViolations(page, 'an announcement')).toEqual([]);
  await takeScreenshot(page, 'announcement-form');
  await form.getByRole('button', { name: t('announcements.action.add'), exact: true }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /Maintenance/ }).waitFor();
  await takeScreenshot(page, 'announcements');

  const { page: owner } = await openPage({ user: 'owner', language: 'de', size: 'phone', scheme: 'dark' });
  await visit(owner, '/bus/message');
  await owner.getByText(headline).first().waitFor();
  expect(await axeViolations(owner, 'messages on a phone')).toEqual([]);
  await takeScreenshot(owner, 'messages-phone-dark');
  await owner.getByRole('button', { name: headline }).first().click();
  const reader = owner.getByRole('dialog');
  await reader.getByText('wird das Portal erneuert.').waitFor();
  await takeScreenshot(owner, 'announcement-phone-dark');
  await owner.keyboard.press('Escape');
  const { token } = await sessionOf('owner');
  const stands = async () =>
    (await callApi(portalUrl(), messageList, { condition: { content: headline } }, token)).messages;
  await expect.poll(async () => (await stands())[0]?.isRead).toBe(true);
  await owner.getByRole('button', { name: textOf('blocks.actionsFor', 'de', { name: headline }), exact: true }).click();
  await owner.getByRole('menuitem', { name: textOf('messages.action.delete', 'de'), exact: true }).click();
  await owner
    .getByRole('dialog')
    .getByRole('button', { name: textOf('messages.action.delete', 'de'), exact: true })
    .click();
  await expect.poll(async () => (await stands()).length).toBe(0);
});
