import { language } from '@sonnenwarte/contract/accounts/own-account';
import { errno } from '@sonnenwarte/contract/errors';
import { remove } from '@sonnenwarte/contract/members/members';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { request } from '../support/api.ts';
import { portalUrl } from '../support/demo.ts';
import { openPage, pathOf, signIn } from '../support/page.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const organisation = 'Sonnenwarte Demo Solartechnik';
const PASSWORD = 'sun-and-wind';
const POLL = { timeout: 15_000 };

const text = (key: string, values?: Record<string, string | number>) => textOf(key, 'en', values);

/** Chooses a record in a field that finds it by its name. */
async function pick(page: Page, label: string, name: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: label }).fill(name);
  await dialog.getByRole('option', { name }).click();
  await dialog.getByRole('listbox').waitFor({ state: 'detached' });
  await expect.poll(() => dialog.getByRole('combobox', { name: label }).inputValue(), POLL).toBe(name);
}

/** The names of its entries: what they count comes and goes. */
const shownMenu = async (page: Page) => {
  const entries = page.getByRole('navigation').first().getByRole('link');
  return (await entries.evaluateAll((all) => all.map((entry) => entry.getAttribute('title')))).join('\n');
};

test("the administrator gives an installer's organisation a member with a narrow group, who sees only what it allows", async () => {
  const unique = Date.now().toString(36);
  const group = `Faults ${unique}`;
  const account = `petra.${unique}`;
  const { page } = await openPage({ user: 'admin', language: 'en' });

  await visit(page, '/bus/powerInfo/permissionGriup');
  await page.getByRole('button', { name: text('permission-groups.action.add') }).click();
  await pick(page, text('permission-groups.field.organisation'), organisation);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: text('permission-groups.field.name') }).fill(group);
  await dialog.getByRole('checkbox', { name: text('permissions.code.errorRecord.query'), exact: true }).check();
  const release = dialog.getByRole('checkbox', { name: text('permissions.code.firmware.release') });
  await expect.poll(() => release.isDisabled()).toBe(true);
  await dialog.getByRole('button', { name: text('permission-groups.action.add') }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText(group).waitFor();

  await visit(page, '/bus/powerInfo/member');
  await page.getByRole('button', { name: text('members.action.add') }).click();
  await pick(page, text('members.field.organisation'), organisation);
  await dialog.getByRole('textbox', { name: text('members.field.account') }).fill(account);
  await dialog.getByRole('textbox', { name: text('members.field.email') }).fill(`${account}@example.com`);
  await dialog.getByRole('checkbox', { name: new RegExp(group) }).check();
  await dialog.getByRole('button', { name: text('members.action.add') }).click();
  const temporary = await page.getByRole('textbox', { name: text('organisations.password.label') }).inputValue();
  expect(temporary).toHaveLength(12);
  await page.getByRole('button', { name: text('organisations.password.done') }).click();

  const member = await openPage({ language: 'en' });
  await visit(member.page, '/login');
  await signIn(member.page, account, temporary);
  await member.page.waitForURL('**/changePassword');
  for (const name of ['newPassword', 'confirm']) await member.page.locator(`[name=${name}]`).fill(PASSWORD);
  await member.page.locator('button[type=submit]').click();
  await member.page.waitForURL('**/bus/index');
  await untilSettled(member.page);
  await expect.poll(() => shownMenu(member.page), POLL).toContain(text('routes.plant-view'));
  const menu = await shownMenu(member.page);
  expect(menu).not.toContain(text('routes.member'));
  await member.page.goto('/bus/powerInfo/member');
  await member.page.waitForURL('**/error/noPermissions');

  await visit(page, '/bus/powerInfo/permissionGriup');
  await page.getByRole('button', { name: text('blocks.actionsFor', { name: group }) }).click();
  await page.getByRole('menuitem', { name: text('view-as.start') }).click();
  await page.getByRole('button', { name: text('view-as.submit') }).click();
  await page.waitForURL('**/bus/index');
  await page.getByText(text('view-as.banner', { who: `${group} · ${organisation}` })).waitFor();
  await untilSettled(page);
  await expect.poll(() => shownMenu(page), POLL).toBe(menu);

  await page.getByRole('button', { name: text('view-as.whatHidden') }).click();
  const hiddenNow = () => page.getByRole('dialog').innerText();
  await expect
    .poll(hiddenNow, POLL)
    .toContain(text('view-as.hidden.group', { group, permission: text('permissions.code.errorRecord.download') }));
  const hidden = await hiddenNow();
  expect(hidden).toContain(text('view-as.hidden.level', { level: text('levels.2') }));
  expect(hidden).not.toContain(text('permissions.code.errorRecord.query'));
  await page.keyboard.press('Escape');

  const [viewToken, ownToken] = await page.evaluate(() => [
    sessionStorage.getItem('view:token') ?? '',
    localStorage.getItem('token') ?? '',
  ]);
  expect(viewToken).not.toBe(ownToken);
  expect(await request(portalUrl(), language, { language: 'en' }, viewToken)).toMatchObject({
    errno: errno.readOnlyView,
  });
  expect(await request(portalUrl(), remove, { accountID: crypto.randomUUID() }, ownToken)).toMatchObject({
    errno: errno.memberNotFound,
  });

  await page.getByRole('button', { name: text('view-as.end'), exact: true }).click();
  await page.waitForURL('**/permissionGriup');
  await untilSettled(page);
  expect(pathOf(page)).toBe('/bus/powerInfo/permissionGriup');
  await expect.poll(() => shownMenu(page), POLL).toContain(text('routes.member'));
  expect(await request(portalUrl(), language, { language: 'en' }, viewToken)).toMatchObject({
    errno: errno.sessionEnded,
  });
});
