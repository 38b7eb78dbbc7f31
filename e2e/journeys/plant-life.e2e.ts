import { signUp } from '@sonnenwarte/contract/sign-up/sign-up';
import { list } from '@sonnenwarte/contract/sites/sites';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { callApi, openSession } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { portalUrl } from '../support/demo.ts';
import { newPlants, PASSWORD } from '../support/new-account.ts';
import { openPage, signIn } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';
import { waitUntil } from '../support/wait-until.ts';

const t = (key: string, values: Record<string, string | number> = {}) => textOf(key, 'en', values);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
let made = 0;

/** Somebody new, whose plants are no demonstration's. */
async function newAccount(role: 'installer' | 'endUser'): Promise<string> {
  made += 1;
  const user = `${role === 'installer' ? 'life' : 'home'}${(Date.now() + made) % 1_000_000_000}`;
  const email = `${user}@example.com`;
  await callApi(portalUrl(), signUp, { role, user, password: PASSWORD, email, country: 'DE', termsAccepted: true });
  return user;
}

const tokenOf = async (user: string) => (await openSession(portalUrl(), user, PASSWORD)).token;

async function plantsOf(user: string): Promise<string[]> {
  const { plants } = await callApi(portalUrl(), list, { pageSize: 50 }, await tokenOf(user));
  return plants.map(({ name }) => name).sort();
}

async function signedIn(user: string, password = PASSWORD, size: 'desktop' | 'phone' = 'desktop'): Promise<Page> {
  const { page } = await openPage({
    language: 'en',
    size,
    expected: [/plant\/(delete|detail|share|figures|live|devices)/],
  });
  await visit(page, '/login');
  await signIn(page, user, password);
  await page.waitForURL('**/bus/index');
  await visit(page, '/bus/plant/view');
  return page;
}

async function chooseAction(page: Page, plant: string, action: string): Promise<void> {
  await button(page, t('blocks.actionsFor', { name: plant }))
    .first()
    .click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

async function typeAndDelete(page: Page, typed: string): Promise<void> {
  await page.getByRole('dialog').getByRole('textbox').fill(typed);
  await inDialog(page, t('sites.action.delete')).click();
}

test('an installer deletes a plant and takes it back; the sixth in ten minutes is asked about, cancelled and agreed', async () => {
  const user = await newAccount('installer');
  const names = ['Life 1', 'Life 2', 'Life 3', 'Life 4', 'Life 5', 'Life 6'];
  await newPlants(await tokenOf(user), names);
  const page = await signedIn(user);
  await chooseAction(page, 'Life 1', t('sites.action.delete'));
  await page.getByText(t('site-deletions.undoDays', { number: 30 })).waitFor();
  expect(await axeViolations(page, 'plant life 1')).toEqual([]);
  await takeScreenshot(page, 'plant-life-delete');
  await typeAndDelete(page, 'Life 1');
  await button(page, t('site-deletions.undo')).waitFor();
  expect(await plantsOf(user)).toEqual(names.slice(1));
  await takeScreenshot(page, 'plant-life-deleted');
  await button(page, t('site-deletions.undo')).click();
  await page.getByText(t('site-deletions.undone', { number: 1 })).waitFor();
  expect(await plantsOf(user)).toEqual(names);

  await page.getByRole('row', { name: /Life 1/ }).waitFor();
  const chooseAll = async () => {
    const all = page.getByRole('checkbox', { name: t('blocks.selection.page') });
    if (!(await all.isChecked())) await all.click();
    await page
      .getByRole('status')
      .getByRole('button', { name: t('sites.action.delete') })
      .click();
    await typeAndDelete(page, '6');
    await page.getByRole('dialog', { name: t('errors.42200') }).waitFor();
  };
  await chooseAll();
  expect(await axeViolations(page, 'plant life 2')).toEqual([]);
  await takeScreenshot(page, 'plant-life-sixth');
  await inDialog(page, t('blocks.cancel')).click();
  expect(await plantsOf(user)).toEqual(names);
  await chooseAll();
  await inDialog(page, t('site-deletions.goOn')).click();
  await page.getByText(t('site-deletions.done', { number: 6 })).waitFor();
  expect(await plantsOf(user)).toEqual([]);
});

test('an administrator moves a plant to another owner, from its own page', async () => {
  const [user, buyer] = [await newAccount('installer'), await newAccount('endUser')];
  const name = `Moving ${user}`;
  await newPlants(await tokenOf(user), [name]);
  const page = await signedIn('admin', 'sonnenwarte');
  await page.getByRole('searchbox').first().fill(name);
  await page.getByText(name, { exact: true }).first().click();
  await page.getByRole('heading', { name }).waitFor();
  await chooseAction(page, name, t('sites.action.migrate'));
  await page.getByRole('combobox', { name: t('migrations-of-accounts.move.owner') }).fill(buyer);
  await page.getByRole('option', { name: buyer }).click();
  await page
    .getByRole('dialog')
    .getByRole('row', { name: new RegExp(buyer) })
    .waitFor();
  expect(await axeViolations(page, 'plant life 3')).toEqual([]);
  await takeScreenshot(page, 'plant-life-migrate');
  await inDialog(page, t('sites.action.migrate')).click();
  await page.getByText(t('migrations-of-accounts.move.done', { number: 1 })).waitFor();
  expect(await plantsOf(buyer)).toEqual([name]);
  await visit(page, '/bus/afterSaleMag/accountMigration');
  await page.getByRole('row', { name: new RegExp(buyer) }).waitFor();
});

test('a plant is shared on the phone, seen there with the name of who shared it, and given up by who has it', async () => {
  const [user, friend] = [await newAccount('installer'), await newAccount('endUser')];
  await newPlants(await tokenOf(user), ['Shared roof']);
  const page = await signedIn(user, PASSWORD, 'phone');
  await chooseAction(page, 'Shared roof', t('sites.action.share'));
  await page.getByLabel(t('site-shares.field.account')).fill('nobody-at-all');
  await inDialog(page, t('sites.action.share')).click();
  await page.getByText(t('site-shares.unknown')).waitFor();
  await page.getByLabel(t('site-shares.field.account')).fill(friend);
  await page.getByLabel(t('site-shares.field.right')).selectOption('workMode');
  expect(await axeViolations(page, 'plant life 4')).toEqual([]);
  await takeScreenshot(page, 'plant-life-share-phone');
  await inDialog(page, t('sites.action.share')).click();
  await page.getByText(t('site-shares.done', { number: 1 })).waitFor();

  const theirs = await signedIn(friend, PASSWORD, 'phone');
  await theirs
    .getByText(t('sites.shared.by', { name: user }))
    .first()
    .waitFor();
  await takeScreenshot(theirs, 'plant-life-shared-list-phone');
  await theirs
    .getByText(/^Shared roof/)
    .first()
    .click();
  const panel = theirs.getByRole('region', { name: t('site-shares.title') });
  await panel.scrollIntoViewIfNeeded();
  await panel.getByText(t('site-shares.right.workMode')).waitFor();
  expect(await axeViolations(theirs, 'plant life 5')).toEqual([]);
  await takeScreenshot(theirs, 'plant-life-shared-plant-phone');
  // A menu closes when what is around it scrolls.
  await panel.evaluate((section) => section.scrollIntoView({ block: 'center', behavior: 'instant' }));
  await untilSettled(theirs);
  await chooseAction(theirs, friend, t('site-shares.action.end'));
  await inDialog(theirs, t('site-shares.action.end')).click();
  await waitUntil('no plant', async () => (await plantsOf(friend)).length === 0);
});

test('a view is saved, chosen, renamed and removed, and its address shows the same to somebody else', async () => {
  const user = await newAccount('installer');
  await newPlants(await tokenOf(user), ['View one', 'View two']);
  const page = await signedIn(user);
  const views = () => button(page, t('blocks.views.title')).click();
  await page.getByRole('searchbox').first().fill('View two');
  await page.waitForURL(/content=View/);
  await views();
  await button(page, t('blocks.views.save')).click();
  await page.getByLabel(t('blocks.views.name')).fill('Only two');
  await inDialog(page, t('blocks.views.keep')).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await views();
  await takeScreenshot(page, 'plant-life-views');
  expect(await axeViolations(page, 'plant life 6')).toEqual([]);
  await button(page, t('blocks.views.link')).click();
  const address = await page.getByRole('dialog').getByRole('textbox').inputValue();
  await page.keyboard.press('Escape');

  await visit(page, '/bus/plant/view');
  await page.getByRole('row', { name: /View one/ }).waitFor();
  await views();
  await button(page, 'Only two').click();
  await page.getByRole('row', { name: /View one/ }).waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /View two/ }).waitFor();

  await visit(page, '/bus/plant/view');
  await page.getByRole('row', { name: /View one/ }).waitFor();
  const { pathname, search } = new URL(address);
  await visit(page, `${pathname}${search}`);
  await page.getByRole('row', { name: /View two/ }).waitFor();
  await page.getByRole('row', { name: /View one/ }).waitFor({ state: 'detached' });

  await views();
  await chooseAction(page, 'Only two', t('blocks.views.rename'));
  await page
    .getByRole('dialog')
    .getByRole('textbox', { name: t('blocks.views.name') })
    .fill('Number two');
  await inDialog(page, t('blocks.views.keep')).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await views();
  await chooseAction(page, 'Number two', t('blocks.views.remove'));
  await inDialog(page, t('blocks.views.remove')).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await views();
  await page.getByText(t('blocks.views.none')).waitFor();
});
