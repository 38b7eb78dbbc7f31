import { expect, test } from 'vitest';
import { openPage, pathOf, signIn } from '../support/page.ts';
import { visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const text = (key: string) => textOf(`audit.${key}`, 'en');

test('a refused sign-in stands in the account log, found by name and action in the address, saved as a file', async () => {
  const { page } = await openPage({ language: 'en' });
  await visit(page, '/login');
  await signIn(page, 'integrator', 'wrong-password');
  await page
    .getByText(/41807-/)
    .first()
    .waitFor();

  await signIn(page, 'admin', 'sonnenwarte');
  await page.waitForURL('**/bus/index');
  const row = page.getByRole('row', { name: /integrator/ });
  const filters = 'condition.content=integrator&condition.action=accounts.signInRefused';
  await expect
    .poll(
      async () => {
        await visit(page, `/bus/logAudit/account?${filters}`);
        return row.count();
      },
      { timeout: 30_000 },
    )
    .toBeGreaterThan(0);
  expect(await page.getByRole('searchbox', { name: text('list.search') }).inputValue()).toBe('integrator');
  await row
    .first()
    .getByRole('button', { name: text('action.accounts.signInRefused') })
    .click();
  await page.getByRole('dialog').getByText(text('detail.changes')).waitFor();
  await page.keyboard.press('Escape');

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    (async () => {
      await page.getByRole('button', { name: textOf('blocks.export.button', 'en') }).click();
      await page.getByRole('menuitem', { name: textOf('blocks.export.csv', 'en') }).click();
    })(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^Account log-\d{4}-\d\d-\d\d\.csv$/);
});

test('a distributor opens both logs of its tree and not the platform’s', async () => {
  const { page } = await openPage({ user: 'distributor', language: 'en' });
  await visit(page, '/bus/logAudit/operation');
  expect(pathOf(page)).toBe('/bus/logAudit/operation');
  await page.goto('/bus/logUpdate/platformLog');
  await page.waitForURL('**/error/noPermissions');
});
