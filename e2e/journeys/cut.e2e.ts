import { forecast } from '@sonnenwarte/contract/forecast/forecast';
import { kinks } from '@sonnenwarte/contract/kinks/kinks';
import { calendar } from '@sonnenwarte/contract/sites/site-endpoints';
import { live } from '@sonnenwarte/contract/sites/sites';
import { story } from '@sonnenwarte/contract/story/story';
import { expect, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { openWire } from '../support/cut.ts';
import { portalUrl, sessionOf, waitUntilFresh } from '../support/demo.ts';
import { shownFlow, signedKw } from '../support/flow.ts';
import { openPage } from '../support/page.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';
import { waitUntil } from '../support/wait-until.ts';

const AGE_SHOWN_MS = 5_000;

test('the stream cut for a minute: the age is on screen within 5 s, and what heals equals the API without a reload', async () => {
  const plant = await waitUntilFresh('Haus Lindenblick');
  const wire = await openWire(portalUrl());
  const { page } = await openPage({
    user: 'owner',
    language: 'en',
    url: wire.url,
    expected: [
      /ERR_CONNECTION_RESET|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_SOCKET_NOT_CONNECTED|ERR_INCOMPLETE_CHUNKED_ENCODING/,
    ],
  });
  const told = new Set<string>();
  page.on('requestfinished', (request) => told.add(new URL(request.url()).pathname));
  await visit(page, `/bus/plant/detail?id=${plant.stationID}`);
  await page.getByText(textOf('shell.live', 'en'), { exact: true }).first().waitFor();
  await waitUntil('the powers of the flow', async () => (await shownFlow(page)).size >= 4);
  const shown = [...(await shownFlow(page)).keys()];
  // What comes late is there as well: a page whose code is cut off is loaded anew.
  const late = [calendar, forecast, kinks, story].map(({ path }) => path);
  await waitUntil('all of what comes late', async () => {
    await page.mouse.wheel(0, 400);
    return late.every((path) => told.has(path));
  });
  await waitUntil('the end of the page', async () => {
    await page.mouse.wheel(0, 400);
    return page.evaluate(() => scrollY + innerHeight >= document.documentElement.scrollHeight - 2);
  });
  await untilSettled(page);
  await page.evaluate(() => scrollTo(0, 0));
  const origin = await page.evaluate(() => performance.timeOrigin);

  wire.cut();
  const notice = page.getByText(/last heard .*ago/).first();
  await notice.waitFor({ timeout: AGE_SHOWN_MS });
  expect(await page.locator('main').innerText()).toMatch(/\d+ sec\.? ago/);
  expect([...(await shownFlow(page)).keys()]).toEqual(shown);
  await page.locator('[data-rest=true]').waitFor();
  await page
    .getByText(/last heard 1 min\.? ago/)
    .first()
    .waitFor({ timeout: 90_000 });

  wire.heal();
  await notice.waitFor({ state: 'detached', timeout: 45_000 });
  const { token } = await sessionOf('owner');
  await waitUntil(
    'the powers of the API on screen',
    async () => {
      const [now, flow] = [
        await callApi(portalUrl(), live, { stationID: plant.stationID }, token),
        await shownFlow(page),
      ];
      const pairs = [
        [now.pv?.powerW, signedKw(flow, 'pv')],
        [now.battery?.powerW, signedKw(flow, 'battery')],
        [now.grid?.powerW, signedKw(flow, 'grid')],
        [now.load?.powerW, signedKw(flow, 'load')],
      ] as const;
      return pairs.every(([powerW, kW]) => typeof powerW === 'number' && Math.abs(powerW / 1000 - kW) <= 0.03);
    },
    { everyMs: 250 },
  );
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(origin);
});
