import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestPlant } from '../ingestion.ts';
import { type Case, cases } from './cases.ts';
import { reckonPlant } from './plant-reckoning.ts';
import { ToldPlants } from './told-plants.ts';
import { firstPrices } from './year.ts';

let plants: ToldPlants;
const told = new Map<string, { plant: TestPlant; made: Case }>();

beforeAll(async () => {
  plants = await ToldPlants.start();
  for (const [title, make] of Object.entries(cases)) {
    const made = make();
    const plant = await plants.addPlant(made.zone, true);
    await plants.bear(
      plant,
      made.devices.filter(({ role }) => role === 'load'),
    );
    await plants.tell(plant, made.portions ?? [made.devices.map((device) => ({ device, tellings: device.tellings }))]);
    told.set(title, { plant, made });
  }
  await plants.ingestion.drain();
  await plants.restart();
}, 300_000);

afterAll(() => plants.stop());

describe('every figure agrees to 0.1 Wh, and money to its last decimal, with a reckoning that shares no code, after', () => {
  test.each(Object.keys(cases))('%s', async (title) => {
    const { plant, made } = told.get(title) ?? {};
    if (plant === undefined || made === undefined) throw new Error(`${title} was not told`);
    const reckoning = reckonPlant({ zone: made.zone, devices: made.devices, tariffs: [firstPrices] });
    expect(reckoning.days.size).toBeGreaterThan(0);
    const wrong = await plants.differences(plant, made.zone, reckoning);
    expect(wrong.slice(0, 12)).toEqual([]);
  });
});
