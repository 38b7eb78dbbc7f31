import { burnInEndpoints as calls } from '@sonnenwarte/contract/burn-in/burn-in';
import { errno } from '@sonnenwarte/contract/errors';
import { describe, expect, test } from 'vitest';
import { usualLimits as limits, ownBurnIn, whole } from '../testing/burn-in-fixture.ts';

const own = ownBurnIn(Date.UTC(2026, 4, 4, 6), { name: 'An hour', limits });

describe('reports', () => {
  test('count each unit of a batch, first-pass yield by first verdicts, and the reasons', async () => {
    const { db } = own.rack.plants;
    const { id: maker } = await db
      .insertInto('manufacturers')
      .values({ name: 'Hanse Power' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id: batchID } = await db
      .insertInto('device_batches')
      .values({
        manufacturer_id: maker,
        number: 'HP-26-05',
        kind: 'inverter',
        model: 'HX-10K',
        made_on: null,
        delivered_on: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const sns = ['BI-REP-1', 'BI-REP-2', 'BI-REP-3'];
    const { runID, keys } = await own.begun(sns, { batchID });
    const [good = 0, weak = 0, hot = 0] = keys;
    await own.rack.tell(good, own.fromMs, 60, () => whole);
    await own.rack.tell(weak, own.fromMs, 60, () => ({ powerW: 9_000 }));
    await own.rack.tell(hot, own.fromMs, 60, () => ({ ...whole, temperatureC: 90 }));
    own.passMinutes(62);
    await own.judge();
    await own.judge();
    own.later(2);
    const second = await own.rack.run(own.planID, ['BI-REP-2'], { batchID });
    await own.rack.tell(weak, own.fromMs, 60, () => whole);
    own.passMinutes(62);
    await own.judge();
    await own.judge();
    expect(await own.rack.plants.read(calls.report, { batchID }, own.rack.token)).toMatchObject({
      runs: 2,
      units: 3,
      passed: 2,
      failed: 1,
      first: 3,
      firstPassed: 1,
      reasons: [
        { reason: 'maxTemperatureC', count: 1 },
        { reason: 'minOutputPercent', count: 1 },
      ],
      temperatures: [
        { from: 45, to: 50, count: 3 },
        { from: 90, to: 95, count: 1 },
      ],
    });
    const { units } = await own.rack.plants.read(calls.unitList, { condition: { runID: second } }, own.rack.token);
    expect(units).toMatchObject([{ sn: 'BI-REP-2', attempt: 2, state: 'passed', batch: 'HP-26-05' }]);

    // Who fails for what is judged at the end has run to it, and all of it is decided.
    const soft = await own.rack.plants.read(calls.unit, { runID, sn: 'BI-REP-2' }, own.rack.token);
    expect([soft.unit.endedMs, soft.coveragePercent]).toEqual([soft.run.endsMs, 100]);
    expect(soft.verdicts.map(({ limit, holds }) => [limit, holds])).toEqual([
      ['minOutputPercent', false],
      ['minEfficiencyPercent', true],
      ['maxTemperatureC', true],
      ['maxSilenceMinutes', true],
      ['failLevel', true],
    ]);
    const { runs } = await own.rack.plants.read(
      calls.list,
      { condition: { content: `#${soft.run.number}` } },
      own.rack.token,
    );
    expect(runs.map((run) => run.runID)).toContain(runID);

    const passed = await own.rack.pdfOf(calls.certificate, { runID, sn: 'BI-REP-1' }, 'de');
    expect(passed).toMatchObject({ isTagged: true, pages: 1 });
    for (const text of ['BI-REP-1', 'Hanse Power', 'HX-10K', 'HP-26-05', 'An hour', '99 %', '97 %'])
      expect(passed.text.replaceAll('\u00a0', ' ')).toContain(text);
    const failed = await own.rack.pdfOf(calls.certificate, { runID, sn: 'BI-REP-3' });
    expect(failed.text).toContain('Failed');
    expect(failed.text).toContain('Too hot (90 °C)');
    const paper = await own.rack.pdfOf(calls.runReport, { runID });
    expect(paper.text).toContain('1 of 3 inverters have passed.');
    expect(paper.text).toContain('BI-REP-2');
  });

  test('show all steps, the batch, the position, the year, and by how much a limit is broken', async () => {
    const steps = Array.from({ length: 24 }, (_, place) => ({ minutes: 2 + (place % 3), percent: 4.6 + place }));
    const batchNumber = `HP-${'W'.repeat(61)}`;
    const name = 'P'.repeat(64);
    const plan = await own.rack.addPlan({
      name,
      steps,
      limits: {
        ...limits,
        minOutputPercent: null,
        maxTemperatureC: 39.96,
        minInsulationKOhm: 500,
        allowedCodes: [1005, 3003],
      },
    });
    const { runID, keys } = await own.begun(['BI-SIGNS-1'], { rack: 'R'.repeat(40), batchNumber }, plan);
    await own.rack.tell(keys[0] ?? 0, own.fromMs, 60, () => ({ ...whole, temperatureC: 40 }));
    own.passMinutes(62);
    await own.judge();
    const { text, pages } = await own.rack.pdfOf(calls.certificate, { runID, sn: 'BI-SIGNS-1' });
    const shown = text.replaceAll(/\s+/g, '');
    expect(pages).toBe(1);
    expect(shown).not.toContain('?');
    for (const told of [
      '39.96°C',
      '40.00°C',
      batchNumber,
      name,
      'R'.repeat(40),
      '4.6%2min',
      '27.6%',
      '2026',
      '1005',
      '3003',
    ])
      expect(shown).toContain(told);
  });

  test('name the batch that their units were delivered in: a run takes no others, and none of another model', async () => {
    const { db } = own.rack.plants;
    const { id: maker } = await db
      .insertInto('manufacturers')
      .values({ name: 'Hanse Strom' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const [one = '', other = ''] = (
      await db
        .insertInto('device_batches')
        .values(
          ['HST-A', 'HST-R'].map((number) => ({
            manufacturer_id: maker,
            number,
            kind: 'inverter' as const,
            model: 'HX-10K',
            made_on: null,
            delivered_on: null,
          })),
        )
        .returning('id')
        .execute()
    ).map(({ id }) => id);
    await db
      .insertInto('delivered_units')
      .values({ sn: 'BI-BATCH-1', batch_id: one, model: 'HX-10K', delivered_on: null })
      .execute();
    const { id: loggerId } = await own.rack.plants.addDatalogger(null);
    await own.rack.plants.addDevice(null, loggerId, { sn: 'bi-batch-2', model: 'HX-12K' });
    const add = (batchID: string, sns: string[]) =>
      own.rack.plants.call(calls.add, { planID: own.planID, rack: 'R9', batchID, sns }, own.rack.token);
    expect(await add(other, ['BI-BATCH-1', 'BI-BATCH-3'])).toMatchObject({
      errno: errno.burnInUnitOfOtherBatch,
      result: { sns: 'BI-BATCH-1', batch: 'HST-R' },
    });
    expect(await add(one, ['BI-BATCH-1', 'BI-BATCH-2'])).toMatchObject({
      errno: errno.burnInUnitOfOtherModel,
      result: { sns: 'BI-BATCH-2', model: 'HX-10K' },
    });
    expect((await add(one, ['BI-BATCH-1', 'BI-BATCH-3'])).errno).toBe(0);
  });

  test('have free texts in the scripts in which they were typed, whatever the language of the paper', async () => {
    const names = ['Zkušební plán Řeka', 'Стенд Ёлкина', '김민수 랙', '老化批次-7', 'Πάγκος Ωμέγα', 'Ổ thử nghiệm'];
    const [planName = '', rackName = '', reason = '', batchNumber = '', other = '', more = ''] = names;
    const plan = await own.rack.addPlan({ name: `${planName} ${other}`, limits });
    const { runID, keys } = await own.begun(
      ['BI-WORDS-1'],
      { rack: rackName, batchNumber: `${batchNumber} ${more}` },
      plan,
    );
    await own.rack.tell(keys[0] ?? 0, own.fromMs, 60, () => ({ ...whole, temperatureC: 90 }));
    own.passMinutes(62);
    await own.judge();
    const second = await own.rack.run(plan, ['BI-WORDS-2'], { rack: reason });
    await own.rack.plants.read(calls.abort, { runID: second, reason }, own.rack.token);
    const certificate = await own.rack.pdfOf(calls.certificate, { runID, sn: 'BI-WORDS-1' }, 'de');
    const report = await own.rack.pdfOf(calls.runReport, { runID: second }, 'de');
    const shown = (text: string) => text.normalize('NFC').replaceAll(/\s+/g, '');
    for (const name of names.filter((each) => each !== reason)) expect(shown(certificate.text)).toContain(shown(name));
    expect(shown(report.text)).toContain(shown(reason));
    for (const { text } of [certificate, report]) expect(text).not.toContain('?');
  });

  test('have no certificate of who has no verdict, and none of a unit that is not in the run', async () => {
    const { runID } = await own.begun(['BI-OPEN-1']);
    const of = (sn: string) => own.rack.plants.call(calls.certificate, { runID, sn }, own.rack.token);
    expect((await of('BI-OPEN-1')).errno).toBe(errno.burnInNoVerdict);
    expect((await of('BI-OTHER')).errno).toBe(errno.burnInUnitNotFound);
    expect((await own.rack.plants.call(calls.runReport, { runID }, own.rack.token)).errno).toBe(errno.burnInRunNotOver);
  });
});
