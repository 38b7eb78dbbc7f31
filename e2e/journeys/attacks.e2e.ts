import { logout } from '@sonnenwarte/contract/accounts/own-account';
import { add, remove, tree } from '@sonnenwarte/contract/organisations/organisations';
import { statusAll } from '@sonnenwarte/contract/sites/sites';
import { expect, onTestFinished, test } from 'vitest';
import { callApi, openSession, request } from '../support/api.ts';
import { portalUrl, sessionOf } from '../support/demo.ts';
import { openPage } from '../support/page.ts';
import { visit } from '../support/settled.ts';

const SCRIPT = '<img src=x onerror=alert(1)>';

test('a script in every text field of an organisation and its account is shown as text and never runs', async () => {
  const { token } = await sessionOf('admin');
  const { organisations } = await callApi(portalUrl(), tree, {}, token);
  const platform = organisations.find(({ kind }) => kind === 'platform');
  const user = `eve${Date.now() % 1_000_000}`;
  const { id } = await callApi(
    portalUrl(),
    add,
    {
      kind: 'distributor',
      parentID: platform?.id ?? '',
      name: SCRIPT,
      country: 'DE',
      email: '',
      phone: '',
      note: `</script><script>alert(2)</script>${SCRIPT}`,
      user,
      accountEmail: `${user}@example.com`,
      accountName: SCRIPT,
    },
    token,
  );
  onTestFinished(async () => {
    await callApi(portalUrl(), remove, { id }, token);
  });
  const { page } = await openPage({ user: 'admin', language: 'en' });
  const ran: string[] = [];
  page.on('dialog', (dialog) => {
    ran.push(dialog.message());
    void dialog.dismiss();
  });
  for (const address of [
    '/bus/group/management?condition.content=onerror',
    `/bus/user/management?condition.content=${user}`,
    '/bus/logAudit/operation',
  ]) {
    await visit(page, address);
    await page.getByText(SCRIPT).filter({ visible: true }).first().waitFor();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
  }
  expect(ran).toEqual([]);
});

test('a token is of no use after its session was signed out', async () => {
  const { token } = await openSession(portalUrl(), 'installer', 'sonnenwarte');
  expect((await request(portalUrl(), statusAll, {}, token)).errno).toBe(0);
  await callApi(portalUrl(), logout, {}, token);
  expect((await request(portalUrl(), statusAll, {}, token)).errno).toBe(41_810);
});
