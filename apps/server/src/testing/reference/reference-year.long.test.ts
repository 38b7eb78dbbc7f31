import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestPlant } from '../ingestion.ts';
import { type PlantReckoning, reckonPlant } from './plant-reckoning.ts';
import { ToldPlants } from './told-plants.ts';
import { damagedYear, firstPrices, newPrices } from './year.ts';

const made = damagedYear();
const tariffs = [firstPrices, ...newPrices.map(({ read }) => read)];

let plants: ToldPlants;
let plant: TestPlant;

const reckoned = (zone: string) => reckonPlant({ zone, devices: made.devices, tariffs });
const differences = async (zone: string, reckoning: PlantReckoning): Promise<string[]> =>
  (await plants.differences(plant, zone, reckoning)).slice(0, 20);

beforeAll(async () => {
  plants = await ToldPlants.start();
  plant = await plants.addPlant(made.zone, true);
  await plants.tell(plant, made.portions);
  await plants.ingestion.drain();
  for (const { entered } of newPrices) await plants.changePrices(plant, entered);
  await plants.restart();
}, 1_200_000);

afterAll(() => plants.stop());

describe('a year with more than twenty kinds of damage agrees with a reckoning that shares no code', () => {
  test('to 0.1 Wh by hour, day, month and year, in files and figures, and to the last decimal of its money', async () => {
    expect(await differences(made.zone, reckoned(made.zone))).toEqual([]);
  });

  test.each(['Australia/Lord_Howe'])('also by the clock of %s, when it gets that', async (zone) => {
    // Before anything is asked: it takes so long that connections that rest would be closed meanwhile.
    const reckoning = reckoned(zone);
    await plants.changeZone(plant, zone);
    await plants.restart();
    expect(await differences(zone, reckoning)).toEqual([]);
  });
});
