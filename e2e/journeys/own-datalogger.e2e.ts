import { spawnSync } from 'node:child_process';
import { list } from '@sonnenwarte/contract/sites/sites';
import { inject, onTestFinished, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { addDatalogger, connectDatalogger, dataloggerCommand, publishUp } from '../support/dataloggers.ts';
import { portalUrl, sessionOf } from '../support/demo.ts';
import { shownFlow } from '../support/flow.ts';
import { openPage } from '../support/page.ts';
import { visit } from '../support/settled.ts';
import { waitUntil } from '../support/wait-until.ts';

const hasMosquitto = spawnSync('mosquitto_pub', ['--help']).error === undefined;

async function plantId(name: string): Promise<string> {
  const { token } = await sessionOf('admin');
  return waitUntil(`the plant ${name}`, async () => {
    const { plants } = await callApi(portalUrl(), list, { condition: { content: name } }, token);
    return plants.find((plant) => plant.name === name)?.stationID;
  });
}

const reading = (powerW: number) => ({
  dev: 'OWN-INVERTER-1',
  kind: 'inverter',
  v: { 'AC/ActivePower': powerW, 'DC/Power': powerW + 50, 'Energy/PvTotal': 100 + powerW / 1000 },
});

test('a datalogger that is not ours makes a plant live in the browser over the JSON on-ramp', async () => {
  const sn = '990000000000001';
  const name = 'Own logger';
  const password = await addDatalogger(
    inject('dataDir'),
    sn,
    '--new-site',
    name,
    '--zone',
    'Europe/Berlin',
    '--country',
    'DE',
  );
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, `/bus/plant/detail?id=${await plantId(name)}`);
  const client = await connectDatalogger(inject('mqttUrl'), sn, password);
  onTestFinished(() => client.endAsync(true));
  for (const powerW of [1230, 2340, 3450]) {
    await publishUp(client, sn, reading(powerW));
    await waitUntil(
      `${powerW} W on screen`,
      async () => (await shownFlow(page)).get('inverter')?.kW === powerW / 1000,
      {
        timeoutMs: 20_000,
      },
    );
  }
  await page.locator('main header [data-freshness=live]').first().waitFor();
  await page.locator('main').getByText('OWN-INVERTER-1').first().waitFor({ timeout: 45_000 });
});

if (hasMosquitto) {
  test('so does the example of the command line, with mosquitto_pub as it is printed', async () => {
    const sn = '990000000000002';
    const name = 'Own logger by mosquitto';
    const { port } = new URL(inject('mqttUrl'));
    const added = await dataloggerCommand(inject('dataDir'), ['add', sn, '--new-site', name], { MQTT_PORT: port });
    const example = /mosquitto_pub[\s\S]*?'\{.*\}'/.exec(added.output)?.[0] ?? '';
    const { page } = await openPage({ user: 'admin', language: 'en' });
    await visit(page, `/bus/plant/detail?id=${await plantId(name)}`);
    const sent = spawnSync('sh', ['-c', example], { encoding: 'utf8' });
    if (sent.status !== 0) throw new Error(`${example}\n${sent.stderr}`);
    await waitUntil('1.23 kW on screen', async () => (await shownFlow(page)).get('inverter')?.kW === 1.23);
  });
}
