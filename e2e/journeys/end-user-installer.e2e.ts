import { info } from '@sonnenwarte/contract/accounts/own-account';
import { signUp } from '@sonnenwarte/contract/sign-up/sign-up';
import { signUpCode } from '@sonnenwarte/contract/user-center/user-center';
import { expect, test } from 'vitest';
import { callApi, openSession } from '../support/api.ts';
import { plantsOf, portalUrl, sessionOf } from '../support/demo.ts';
import { openPage, signIn } from '../support/page.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const t = (key: string, values: Record<string, string | number> = {}) => textOf(key, 'en', values);
const password = 'sonne-satt';
const installer = 'Sonnenwarte Demo Solartechnik';

/** Somebody who signed up without a code. */
async function freeOwner(name: string): Promise<string> {
  const user = `${name}${Date.now() % 1_000_000}`;
  await callApi(portalUrl(), signUp, {
    role: 'endUser',
    user,
    password,
    email: `${user}@example.com`,
    country: 'DE',
    termsAccepted: true,
  });
  return user;
}

const organisationOf = async (user: string): Promise<string> => {
  const { token } = await openSession(portalUrl(), user, password);
  return (await callApi(portalUrl(), info, {}, token)).organisation;
};

test('who signed up without a code joins an installer later, by its code, in the own user centre', async () => {
  const user = await freeOwner('late');
  const { code } = await callApi(portalUrl(), signUpCode, {}, (await sessionOf('installer')).token);
  const { page } = await openPage({ language: 'en', size: 'phone', expected: [/40257/] });
  await visit(page, '/login');
  await signIn(page, user, password);
  await page.waitForURL('**/bus/index');
  await visit(page, '/user/center');
  const section = page.getByRole('region', { name: t('user-center.section.installer') });
  await section.getByText(t('user-center.installer.none')).waitFor();
  const field = section.getByLabel(t('sign-up.code.endUser'));
  const check = section.getByRole('button', { name: t('user-center.installer.check') });

  await field.fill('AAAA AAAAAA');
  await check.click();
  await section.getByText(t('blocks.reason.wrong')).waitFor();

  await field.fill(`${code.slice(0, 5)} ${code.slice(5).toLowerCase()}`);
  await check.click();
  const question = page.getByRole('dialog', { name: t('user-center.installer.title', { name: installer }) });
  await question.getByText(t('user-center.installer.final')).waitFor();
  expect(await organisationOf(user)).not.toBe(installer);
  await question.getByRole('button', { name: t('user-center.installer.join') }).click();
  await section.getByText(t('user-center.installer.belongs', { name: installer })).waitFor();
  expect(await organisationOf(user)).toBe(installer);
});

test('an administrator moves an end user to an installer, having seen which plants go along', async () => {
  const user = await freeOwner('free');
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/user/management');
  const drawer = page.getByRole('dialog');
  const field = drawer.getByRole('combobox', { name: t('user-management.move.to') });
  const submit = drawer.getByRole('button', { name: t('user-management.move.submit') });
  const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });
  const begin = async (name: string) => {
    await page.getByRole('searchbox').fill(name);
    await row(name).waitFor();
    await page.getByRole('button', { name: t('blocks.actionsFor', { name }), exact: true }).click();
    await page.getByRole('menuitem', { name: t('user-management.action.move'), exact: true }).click();
  };

  await begin('owner');
  await field.fill('Solar East');
  await drawer.getByRole('option').click();
  await drawer.getByText(t('user-management.move.sites_other', { count: (await plantsOf('owner')).length })).waitFor();
  for (const { name } of await plantsOf('owner')) await drawer.getByText(name).waitFor();
  await drawer.getByRole('button', { name: t('blocks.cancel') }).click();
  await drawer.getByRole('button', { name: t('blocks.form.drop') }).click();
  await drawer.waitFor({ state: 'detached' });

  await begin(user);
  await submit.click();
  await drawer.getByText(t('user-management.add.organisation')).waitFor();
  await field.fill('Solartechnik');
  await drawer.getByRole('option', { name: new RegExp(`^${installer}`) }).click();
  await drawer.getByText(t('user-management.move.noSites')).waitFor();
  expect(await field.getAttribute('aria-invalid')).toBeNull();
  await submit.click();
  await drawer.waitFor({ state: 'detached' });
  await untilSettled(page);
  await row(user).getByText(installer).waitFor();
  expect(await organisationOf(user)).toBe(installer);
});
