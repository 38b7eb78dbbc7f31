import { expect, test } from 'vitest';
import { countReasons } from './testing/reason-counts.ts';
import { FIRST_MEASURED_SEED, MEASURED_RUNS, seedsFrom } from './testing/reason-seeds.ts';
import { lossError, reasonTables } from './testing/reason-tables.ts';

const RIGHT_SHARE = 0.9;
const LOSS_TOLERANCE = 0.1;

test('fifty runs of each fault: the first reason is right in nine of ten, the loss within a tenth, and healthy weeks have none', () => {
  const counts = countReasons(seedsFrom(FIRST_MEASURED_SEED, MEASURED_RUNS));
  console.log(reasonTables(counts));
  const wrong = counts.faults.filter(({ right, runs }) => right < RIGHT_SHARE * runs);
  const far = counts.faults.filter((row) => Math.abs(lossError(row) ?? 0) > LOSS_TOLERANCE);
  expect(wrong).toEqual([]);
  expect(far).toEqual([]);
  expect(counts.healthy.filter((row) => row.wrong > 0)).toEqual([]);
});
