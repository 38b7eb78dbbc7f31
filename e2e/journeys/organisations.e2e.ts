import { login } from '@sonnenwarte/contract/accounts/own-account';
import { list as deletionList, undo } from '@sonnenwarte/contract/deletions/deletions';
import { list as plantList } from '@sonnenwarte/contract/sites/sites';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { callApi, md5Hex, request } from '../support/api.ts';
import { portalUrl, sessionOf } from '../support/demo.ts';
import { openPage } from '../support/page.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const t = (key: string, values: Record<string, string | number> = {}) => textOf(key, 'en', values);

async function choose(page: Page, row: string, action: string): Promise<void> {
  await page.getByRole('button', { name: t('blocks.actionsFor', { name: row }), exact: true }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

const signIn = (user: string, password: string) => request(portalUrl(), login, { user, password: md5Hex(password) });

test('a distributor makes an owner, hands over the password, disables the account, and cannot manage its own', async () => {
  const user = `olga${Date.now() % 1_000_000}`;
  const { page } = await openPage({ user: 'distributor', language: 'en' });
  await visit(page, '/bus/user/management');
  await page.getByRole('button', { name: t('user-management.action.add') }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel(t('user-management.field.level')).waitFor();
  expect(await form.getByLabel(t('user-management.field.level')).locator('option').allInnerTexts()).toEqual(
    [1, 2, 3].map((level) => t(`levels.${level}`)),
  );
  await form.getByRole('combobox', { name: t('user-management.field.organisation') }).fill('1005');
  await form.getByRole('option', { name: 'Sonnenwarte Demo Elektro' }).click();
  await form.getByLabel(t('user-management.field.user')).fill(user);
  await form.getByLabel(t('user-management.field.email')).fill(`${user}@example.com`);
  await form.getByRole('button', { name: t('user-management.action.add') }).click();
  const shown = page.getByRole('dialog').getByLabel(t('organisations.password.label'));
  await shown.waitFor();
  const password = await shown.inputValue();
  await page.getByRole('button', { name: t('organisations.password.done') }).click();
  expect(await signIn(user, password)).toMatchObject({ errno: 0, result: { passwordTemporary: true } });

  await page.getByRole('searchbox').fill(user);
  await page.getByRole('row', { name: new RegExp(user) }).waitFor();
  await choose(page, user, t('user-management.action.disable'));
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('user-management.action.disable') })
    .click();
  await page.getByRole('row', { name: new RegExp(`${user}.*${t('organisations.state.disabled')}`) }).waitFor();

  await page.getByRole('searchbox').fill('distributor');
  await page.getByRole('row', { name: /^distributor Distributor/ }).waitFor();
  expect(
    await page.getByRole('button', { name: t('blocks.actionsFor', { name: 'distributor' }), exact: true }).count(),
  ).toBe(0);
});

test('an administrator deletes an installer with its plants after typing its name, and undoes it', async () => {
  const name = 'Sonnenwarte Demo Solar East';
  const { token } = await sessionOf('admin');
  onTestFinished(async () => {
    const { deletions } = await callApi(portalUrl(), deletionList, { condition: { content: name } }, token);
    for (const { id } of deletions) await callApi(portalUrl(), undo, { id }, token);
  });
  const plantsOfIt = async () => {
    const condition = { content: name, contentType: 1 };
    const { plants } = await callApi(portalUrl(), plantList, { condition }, token);
    return plants.map(({ stationID }) => stationID).toSorted();
  };
  const before = await plantsOfIt();
  expect(before).toHaveLength(2);
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/group/management');
  await choose(page, name, t('organisations.action.delete'));
  const question = page.getByRole('dialog');
  await question.getByText(/^2 plants are deleted \(devices: \d+\)\.$/).waitFor();
  await question.getByRole('textbox').fill('something else');
  await question.getByRole('button', { name: t('organisations.action.delete') }).click();
  await question.getByText(t('blocks.confirm.differs')).waitFor();
  expect(await plantsOfIt()).toEqual(before);
  await question.getByRole('textbox').fill(name);
  await question.getByRole('button', { name: t('organisations.action.delete') }).click();
  await question.waitFor({ state: 'detached' });
  expect(await plantsOfIt()).toEqual([]);

  await page.getByRole('radio', { name: t('organisations.view.deleted') }).check();
  await untilSettled(page);
  await page.getByRole('row', { name: /Solar East.*2 plants.*admin/ }).waitFor();
  await choose(page, name, t('deletions.action.undo'));
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('deletions.action.undo') })
    .click();
  await page.getByRole('row', { name: /Solar East.*2 plants.*admin/ }).waitFor({ state: 'detached' });
  expect(await plantsOfIt()).toEqual(before);
});
