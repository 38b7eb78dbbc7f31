import { list } from '@sonnenwarte/contract/sites/sites';
import { expect, inject, onTestFinished, test } from 'vitest';
import { callApi } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { addDatalogger, connectDatalogger, publishUp } from '../support/dataloggers.ts';
import { portalUrl, sessionOf } from '../support/demo.ts';
import { openPage } from '../support/page.ts';
import { visit } from '../support/settled.ts';
import { waitUntil } from '../support/wait-until.ts';

const SN = 'TWICE-CLAIMED-1';
const sides = [
  { sn: '990000000000011', plant: 'Own logger with the number', powerW: 1_100 },
  { sn: '990000000000012', plant: 'Own logger that claims it', powerW: 2_200 },
] as const;

async function plantId(name: string): Promise<string> {
  const { token } = await sessionOf('admin');
  return waitUntil(`the plant ${name}`, async () => {
    const { plants } = await callApi(portalUrl(), list, { condition: { content: name } }, token);
    return plants.find((plant) => plant.name === name)?.stationID;
  });
}

test('both plants show that two dataloggers claim a serial number; the decision says whose it is, and in the end each has its device', async () => {
  for (const { sn, plant, powerW } of sides) {
    const place = ['--new-site', plant, '--zone', 'Europe/Berlin', '--country', 'DE'];
    const client = await connectDatalogger(inject('mqttUrl'), sn, await addDatalogger(inject('dataDir'), sn, ...place));
    onTestFinished(() => client.endAsync(true));
    await publishUp(client, sn, { dev: SN, kind: 'inverter', v: { 'AC/ActivePower': powerW } });
  }
  const { page } = await openPage({ user: 'admin', language: 'en' });
  await visit(page, `/bus/plant/detail?id=${await plantId(sides[1].plant)}`);
  const claim = page.getByRole('region', { name: `Serial number ${SN}` });
  const toKeep = { name: `Leave the number where it is (${sides[0].plant})` };
  await claim.getByRole('button', toKeep).waitFor();
  await claim.getByRole('button', { name: `(${sides[1].plant})` }).waitFor();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain(SN);
  expect(await axeViolations(page, 'claimed')).toEqual([]);
  await visit(page, '/bus/index');
  await page.getByRole('link', { name: sides[0].plant }).first().click();
  await claim.getByText(sides[1].sn).waitFor();
  await claim.getByRole('button', toKeep).click();
  const question = page.getByRole('dialog');
  await question.getByText(`The number stays with the plant that has it now (${sides[0].plant}).`).waitFor();
  await question.getByRole('button', { name: 'Leave the number' }).click();
  await page.getByText(`serial number ${SN} stays with the plant that has it (${sides[0].plant}).`).waitFor();
  await claim.getByText('Decided: the number stays').waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(`Serial number ${SN}: it is decided`);
  await claim.getByRole('button', { name: 'They are two devices' }).click();
  await question.getByText('Both plants keep their device.').waitFor();
  await question.getByRole('button', { name: 'They are two devices' }).click();
  await claim.waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H2');
  await visit(page, `/bus/plant/detail?id=${await plantId(sides[1].plant)}`);
  await page.getByRole('row', { name: `${SN}-0012` }).waitFor();
});
