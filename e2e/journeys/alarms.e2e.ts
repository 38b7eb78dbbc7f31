import { type IncidentRow, list as incidentList } from '@sonnenwarte/contract/incidents/incidents';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { type DemoUser, plantsOf, portalUrl, sessionOf } from '../support/demo.ts';
import { EdgeInverters } from '../support/edge-inverters.ts';
import { openPage } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';
import { waitUntil } from '../support/wait-until.ts';

const t = (key: string, values: Record<string, string | number> = {}) => textOf(key, 'en', values);
const button = (page: Page, key: string) => page.getByRole('button', { name: t(key), exact: true });
const panel = (page: Page, key: string) => page.getByRole('region', { name: t(key), exact: true });
const rowOf = (page: Page, { incidentID }: IncidentRow) => page.locator(`tr[data-key="${incidentID}"]`);
const keysOn = (page: Page) =>
  page.locator('tr[data-key]').evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.key));

async function incidentsOf(user: DemoUser, view: 'open' | 'unacknowledged' | 'all'): Promise<readonly IncidentRow[]> {
  const { token } = await sessionOf(user);
  return (await callApi(portalUrl(), incidentList, { condition: { view }, pageSize: 50 }, token)).incidents;
}

/** Standing alarms that nobody has taken notice of; devices tell them when they first speak. */
const unacknowledged = (user: DemoUser, least = 1): Promise<readonly IncidentRow[]> =>
  waitUntil(`${least} unacknowledged alarms of ${user}`, async () => {
    const found = await incidentsOf(user, 'unacknowledged');
    return found.length >= least && found;
  });

/** An alarm that a device of a new plant tells, which nobody has taken notice of. */
async function ownAlarm(loggerSN: string, plant: string): Promise<IncidentRow> {
  const inverters = await EdgeInverters.start(loggerSN, plant, 1);
  const [sn = ''] = inverters.sns;
  await inverters.tells(sn, [{ code: 3001, level: 3, sinceMs: Date.now() - 600_000, extra: 'heat sink 81 °C' }]);
  const { token } = await sessionOf('admin');
  return waitUntil('the incident', async () => {
    const asked = { condition: { content: sn } };
    const [incident] = (await callApi(portalUrl(), incidentList, asked, token)).incidents;
    return incident;
  });
}

test('an installer finds what costs most first, and opens it with the keyboard alone', async () => {
  await unacknowledged('installer');
  const { page } = await openPage({ user: 'installer', language: 'en' });
  await visit(page, '/bus/alarm');
  await page.locator('tr[data-key]').first().waitFor();
  await page.getByRole('link', { name: new RegExp(`${t('routes.alarm')}.*unacknowledged`) }).waitFor();
  const losses = (await incidentsOf('installer', 'open')).map(({ lostWh }) => lostWh ?? 0);
  expect(losses).toEqual(losses.toSorted((one, other) => other - one));
  expect(await axeViolations(page, 'alarms')).toEqual([]);
  await takeScreenshot(page, 'alarms-light');

  // What is typed into a field is text.
  const search = page.getByLabel(t('incidents.list.search'));
  await search.pressSequentially('jxq');
  expect(await search.inputValue()).toBe('jxq');
  await search.fill('');
  await search.press('Enter');
  await page.locator('tr[data-key]').first().waitFor();
  await untilSettled(page);
  await search.blur();

  await page.keyboard.press('j');
  await page.keyboard.press('x');
  const chosen = page.getByText(t('blocks.selection.count_one', { count: 1 }), { exact: true });
  await chosen.waitFor();
  await page.keyboard.press('Escape');
  await chosen.waitFor({ state: 'detached' });
  const [first] = await keysOn(page);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/bus/alarm/detail?id=${first}`);
  await untilSettled(page);
});

test('somebody reads what an alarm means, acknowledges, comments, mutes and assigns it', async () => {
  const { incidentID, code } = await ownAlarm('260000000000711', 'Alarm that is worked on');
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, `/bus/alarm/detail?id=${incidentID}`);
  await panel(page, 'incidents.meaning.title')
    .getByText(t(`alarm-facts.meaning.${code}`), { exact: true })
    .waitFor();
  expect(await panel(page, 'incidents.steps.title').getByRole('listitem').count()).toBeGreaterThan(0);
  expect(await axeViolations(page, 'an alarm')).toEqual([]);
  await takeScreenshot(page, 'alarm-light');

  const course = panel(page, 'incidents.history.title');
  await button(page, 'incidents.action.acknowledge').click();
  await course.getByText(new RegExp(`^${t('incidents.entry.acknowledged')}`)).waitFor();
  await button(page, 'incidents.action.acknowledge').waitFor({ state: 'detached' });

  const words = `The customer looks after the fuse (${Date.now()}).`;
  await course.getByLabel(t('incidents.field.text')).fill(words);
  await button(page, 'incidents.comment.send').click();
  await course.getByText(words, { exact: true }).waitFor();
  await expect.poll(() => course.getByLabel(t('incidents.field.text')).inputValue()).toBe('');

  await button(page, 'incidents.action.mute').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: t('incidents.action.mute'), exact: true }).click();
  await dialog.locator('[name=reason][aria-invalid=true]').fill('Waiting for a part');
  await dialog.getByLabel(t('incidents.field.span')).selectOption('week');
  await takeScreenshot(page, 'alarm-mute-light');
  expect(await axeViolations(page, 'muting')).toEqual([]);
  await dialog.getByRole('button', { name: t('incidents.action.mute'), exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await course.getByText('Waiting for a part').waitFor();

  await button(page, 'incidents.action.assign').click();
  await dialog.getByRole('combobox', { name: t('incidents.field.accountID') }).press('ArrowDown');
  await page.getByRole('option').first().click();
  await dialog.getByRole('button', { name: t('incidents.action.assign'), exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page
    .getByText(new RegExp(t('incidents.assignedTo')))
    .first()
    .waitFor();
  await takeScreenshot(page, 'alarm-worked-on-light');
});

test('a second page sees the acknowledgement with its next reading, in the place where the row stands', async () => {
  const incident = await ownAlarm('260000000000712', 'Alarm that two look at');
  const [{ page: one }, { page: other }] = await Promise.all([
    openPage({ user: 'admin', language: 'en' }),
    openPage({ user: 'admin', language: 'en' }),
  ]);
  await Promise.all([visit(one, '/bus/alarm?pageSize=50'), visit(other, '/bus/alarm?pageSize=50')]);
  const place = async () => (await keysOn(other)).indexOf(incident.incidentID);
  await rowOf(other, incident).waitFor();
  const before = await place();
  await rowOf(one, incident).getByRole('link').focus();
  await one.keyboard.press('q');
  for (const page of [one, other])
    await rowOf(page, incident).getByText(t('incidents.state.acknowledged'), { exact: true }).waitFor();
  expect(await place()).toBe(before);
});

test('an owner sees the alarms of the own plants alone, is told what is safe, and assigns nothing', async () => {
  const names = (await plantsOf('owner')).map(({ name }) => name);
  const own = await incidentsOf('owner', 'all');
  expect(own.filter(({ plantName }) => plantName !== '' && !names.includes(plantName))).toEqual([]);
  const { page } = await openPage({ user: 'owner', language: 'en' });
  await visit(page, '/bus/alarm?condition.view=all');
  await page.getByRole('radio', { name: t('incidents.view.muted') }).waitFor();
  expect(await page.getByRole('radio', { name: t('incidents.view.mine') }).count()).toBe(0);
  const [incident] = own;
  if (!incident) return;
  await rowOf(page, incident).click();
  await page.waitForURL('**/bus/alarm/detail?**');
  await panel(page, 'incidents.steps.title').waitFor();
  expect(await panel(page, 'incidents.steps.title').getByRole('listitem').count()).toBe(0);
  expect(await button(page, 'incidents.action.assign').count()).toBe(0);
});

test('what one organisation sees is not there for another', async () => {
  const all = await incidentsOf('admin', 'all');
  const own = new Set((await incidentsOf('owner', 'all')).map(({ incidentID }) => incidentID));
  const [strange] = all.filter(({ incidentID }) => !own.has(incidentID));
  if (!strange) throw new Error('the owner sees every alarm');
  const { page } = await openPage({ user: 'owner', language: 'en' });
  await page.goto(`/bus/alarm/detail?id=${strange.incidentID}`);
  await page.getByText(t('errors.41954')).first().waitFor();
});

test('on a phone an alarm is a card, and its page reads from top to bottom', async () => {
  const [incident] = await incidentsOf('installer', 'all');
  if (!incident) throw new Error('the installer sees no alarm');
  const { page } = await openPage({ user: 'installer', language: 'en', size: 'phone' });
  await visit(page, '/bus/alarm?condition.view=all');
  await page
    .getByRole('link', { name: new RegExp(String(incident.code)) })
    .first()
    .waitFor();
  expect(await axeViolations(page, 'alarms on a phone')).toEqual([]);
  // Its entry stands behind More, which is marked as where one is.
  const more = page.getByRole('button', { name: new RegExp(`^${t('shell.more')}`) });
  expect(await more.getAttribute('aria-current')).toBe('true');
  await takeScreenshot(page, 'alarms-phone-light');
  await visit(page, `/bus/alarm/detail?id=${incident.incidentID}`);
  expect(await axeViolations(page, 'an alarm on a phone')).toEqual([]);
  await takeScreenshot(page, 'alarm-phone-light');
});
