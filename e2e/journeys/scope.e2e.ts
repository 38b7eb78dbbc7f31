import { expect, test } from 'vitest';
import { demoUsers, plantsOf } from '../support/demo.ts';
import { openPage } from '../support/page.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const grantedInverters = ['H6S2206A00223', 'H8T2311A00117', 'S20T2212B1061', 'S20T2212B1062'];

test.each(demoUsers.filter(({ plants }) => plants > 0))(
  '$user sees $plants plants in the list',
  async ({ user, plants }) => {
    // Other journeys make plants of their own.
    const seen = await plantsOf(user);
    const ofDemo = seen.filter(({ demo }) => demo).map(({ name }) => name);
    expect(ofDemo).toHaveLength(plants);
    const { page } = await openPage({ user, language: 'en' });
    await visit(page, '/bus/plant/view?pageSize=50');
    const rows = page.locator('main table tbody tr');
    for (const name of ofDemo) await rows.filter({ hasText: name }).first().waitFor();
    const foreign = (await plantsOf('admin')).filter(
      (plant) => !seen.some(({ stationID }) => stationID === plant.stationID),
    );
    for (const { name } of foreign) expect(await rows.filter({ hasText: name }).count()).toBe(0);
  },
);

test('each account sees the plants of the one below it and more', async () => {
  const seen = await Promise.all(
    (['owner', 'installer', 'agent', 'distributor', 'admin'] as const).map(async (user) =>
      (await plantsOf(user)).map((plant) => plant.stationID),
    ),
  );
  for (const [index, ids] of seen.entries()) {
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of seen[index - 1] ?? []) expect(ids).toContain(id);
  }
});

test('the integrator sees exactly the inverters that were granted', async () => {
  const { page } = await openPage({ user: 'integrator', language: 'en' });
  await visit(page, '/bus/integrator/device/list');
  const rows = page.locator('main table tbody tr');
  await rows.nth(3).waitFor();
  const shown = (await rows.allInnerTexts()).map((text) => grantedInverters.find((sn) => text.includes(sn)));
  expect(shown.toSorted()).toEqual(grantedInverters);
});

test('a plant of somebody else answers like one that does not exist', async () => {
  const own = new Set((await plantsOf('owner')).map((plant) => plant.stationID));
  const stranger = (await plantsOf('admin')).find((plant) => !own.has(plant.stationID));
  const { page } = await openPage({ user: 'owner', language: 'en' });
  const said: string[] = [];
  for (const id of [stranger?.stationID ?? '', '00000000-0000-4000-8000-000000000000']) {
    await page.goto(`/bus/plant/detail?id=${id}`);
    const notice = page.locator('main [role=alert]').first();
    await notice.waitFor();
    said.push(await page.locator('main').innerText());
    expect(await notice.innerText()).toContain(`41931-${textOf('errors.41931', 'en')}`);
  }
  expect(said[0]).toBe(said[1]);
});

test('a list keeps page, sort and filter in the address and finds a plant by its name', async () => {
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, '/bus/plant/view');
  const rows = page.locator('main table tbody tr');
  expect(await rows.count()).toBe(10);
  const byName = page.getByRole('button', { name: textOf('sites.field.name', 'en') });
  await byName.click();
  await page.waitForURL(/sort\.field=name/);
  await byName.click();
  await page.waitForURL(/order=desc/);
  await untilSettled(page);
  expect(await rows.first().innerText()).toContain('Villa Ulivo');
  await page.reload();
  await rows.first().filter({ hasText: 'Villa Ulivo' }).waitFor();
  await page.getByLabel(textOf('sites.list.search', 'en')).fill('linden');
  await page.waitForURL(/linden/);
  await rows.filter({ hasText: 'Haus Lindenblick' }).waitFor();
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByLabel(textOf('sites.list.search', 'en')).fill('no such plant');
  await page.getByText(textOf('sites.list.noMatch', 'en')).waitFor();
});
