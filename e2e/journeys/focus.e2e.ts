import { add } from '@sonnenwarte/contract/members/members';
import { list as listOrganisations } from '@sonnenwarte/contract/organisations/organisations';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { portalUrl, sessionOf } from '../support/demo.ts';
import { openPage } from '../support/page.ts';
import { visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const text = (key: string, values?: Record<string, string | number>) => textOf(key, 'en', values);
const actionsOf = (name: string) => text('blocks.actionsFor', { name });

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent ?? '');

async function deleteMember(page: Page, account: string): Promise<void> {
  await page.getByRole('button', { name: actionsOf(account) }).press('Enter');
  await page.getByRole('menuitem', { name: text('members.action.delete'), exact: true }).press('Enter');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: text('members.action.delete'), exact: true })
    .press('Enter');
  await page.getByRole('button', { name: actionsOf(account) }).waitFor({ state: 'detached' });
}

test('a row that is deleted by keyboard leaves the focus to the one that takes its place, and the last to what the empty list offers', async () => {
  const { token } = await sessionOf('admin');
  const { organisations } = await callApi(portalUrl(), listOrganisations, {}, token);
  const organisationID = organisations[0]?.id ?? '';
  const unique = `focus.${Date.now().toString(36)}`;
  for (const name of ['a', 'b']) {
    const account = `${unique}.${name}`;
    await callApi(portalUrl(), add, { organisationID, account, email: `${account}@example.com` }, token);
  }
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, `/bus/powerInfo/member?condition.content=${unique}`);

  await deleteMember(page, `${unique}.a`);
  await expect.poll(() => focused(page)).toBe(actionsOf(`${unique}.b`));

  await deleteMember(page, `${unique}.b`);
  await expect.poll(() => focused(page)).toBe(text('common.clearFilters'));
});
