import { expect, test } from 'vitest';
import { Block, faultCases, isRight } from './testing/fault-cases.ts';

const RUNS = 50;
const HEALTHY_WEEKS_EACH = 2;
const RIGHT_SHARE = 0.9;
const LOSS_TOLERANCE = 0.1;
/** Below this part of what was expected over all runs a loss is too small to be compared. */
const COMPARED_SHARE = 0.01;

interface Row {
  name: string;
  right: number;
  toldWh: number;
  trueWh: number;
  expectedWh: number;
}

test('fifty runs of each fault: the first reason is right in nine of ten, the loss within a tenth, and healthy weeks have none', () => {
  const rows = new Map<string, Row>(
    faultCases.map(({ name }) => [name, { name, right: 0, toldWh: 0, trueWh: 0, expectedWh: 0 }]),
  );
  const falseAlarms: string[] = [];
  // One neighbourhood after the other, so that only one is held at a time.
  for (let seed = 1; seed <= RUNS; seed += 1) {
    const summer = new Block(seed, undefined);
    const winter = new Block(seed, 'winter');
    for (const each of faultCases) {
      const { week, trueWh } = (each.season === 'winter' ? winter : summer).run(each);
      const row = rows.get(each.name);
      if (row === undefined) continue;
      if (isRight(each, week.loss, trueWh)) row.right += 1;
      if (each.isCostUnknown) continue;
      row.toldWh += week.loss.lossWh ?? 0;
      row.trueWh += trueWh;
      row.expectedWh += week.loss.expectedWh ?? 0;
    }
    for (const { loss } of summer.healthyWeeks(HEALTHY_WEEKS_EACH)) {
      for (const { latest } of loss.reasons) falseAlarms.push(`seed ${seed}: ${latest.kind}`);
    }
  }
  const isCompared = ({ trueWh, expectedWh }: Row) => trueWh > COMPARED_SHARE * expectedWh;
  console.table(
    [...rows.values()].map((row) => ({
      fault: row.name,
      'right %': (100 * row.right) / RUNS,
      'told kWh': Math.round(row.toldWh / 1000),
      'true kWh': Math.round(row.trueWh / 1000),
      'error %': isCompared(row) ? Math.round(1000 * (row.toldWh / row.trueWh - 1)) / 10 : '',
    })),
  );
  const wrong = [...rows.values()].filter((row) => row.right < RIGHT_SHARE * RUNS);
  const far = [...rows.values()].filter(
    (row) => isCompared(row) && Math.abs(row.toldWh / row.trueWh - 1) > LOSS_TOLERANCE,
  );
  expect(wrong).toEqual([]);
  expect(far).toEqual([]);
  expect(falseAlarms).toEqual([]);
});
