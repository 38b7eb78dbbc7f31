import { errno } from '@sonnenwarte/contract/errors';
import { add, dropTariff, edit, form } from '@sonnenwarte/contract/site-form/site-form';
import { detail } from '@sonnenwarte/contract/sites/sites';
import { dayBounds, localDay } from '@sonnenwarte/energy/calendar';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { fieldsOf, ownSiteForms, whole } from '../testing/site-form-fixture.ts';

const own = ownSiteForms();
const { printed, siteRow, recordOf, opened } = own;

describe('an edit', () => {
  let stationID: string;

  beforeEach(async () => {
    const input = { ...whole, owner: `user-${own.customer.id}`, modules: [await printed()] };
    ({ stationID } = await own.api.read(add, input, own.tokens.installer));
  });

  test('of prices leaves the past as it was, and figures are made anew from the day that it names', async () => {
    const today = localDay(Date.now(), 'Europe/Berlin');
    await sql`delete from recalculations`.execute(own.api.db);
    const fields = await opened(stationID, own.tokens.owner);
    await own.api.read(edit, { ...fields, price: '0.12', priceValidFrom: today }, own.tokens.owner);
    expect(await siteRow(stationID)).toMatchObject({ feed_in_price: '0.080300' });
    expect(await own.api.read(form, { stationID }, own.tokens.owner)).toMatchObject({
      price: '0.12',
      pricesSince: today,
    });
    const asked = await own.api.db
      .selectFrom('recalculations')
      .select(['depth', 'from_at'])
      .where('site_id', '=', stationID)
      .execute();
    expect(asked).toEqual([{ depth: 'calendar', from_at: new Date(dayBounds(today, 'Europe/Berlin').startMs) }]);
    const [, record] = await recordOf(stationID);
    expect(record).toMatchObject({
      before: { price: '0.0803' },
      after: { price: '0.12', validFrom: expect.any(String) },
    });
  });

  test('of prices of a past day leaves all others as they are, and replaces those that began on that day', async () => {
    const day = (number: number) => localDay(Date.now() - number * 86_400_000, 'Europe/Berlin');
    const [first, second] = [day(60), day(20)];
    const enter = async (price: string, priceValidFrom: string) =>
      own.api.read(edit, { ...(await opened(stationID, own.tokens.owner)), price, priceValidFrom }, own.tokens.owner);
    const told = async () =>
      (await own.api.read(form, { stationID }, own.tokens.owner)).tariffs.map(({ validFrom, price }) => [
        validFrom,
        price,
      ]);
    await enter('0.12', second);
    await enter('0.09', first);
    await enter('0.07', 'beginning');
    expect(await told()).toEqual([
      [null, '0.07'],
      [first, '0.09'],
      [second, '0.12'],
    ]);
    await enter('0.11', 'now');
    await enter('0.1', day(0));
    await enter('0.13', second);
    expect(await told()).toEqual([
      [null, '0.07'],
      [first, '0.09'],
      [second, '0.13'],
      [day(0), '0.1'],
    ]);
    const from = dayBounds(second, 'Europe/Berlin').startMs;
    await sql`delete from recalculations`.execute(own.api.db);
    expect((await own.api.call(dropTariff, { stationID, fromMs: from }, own.tokens.owner)).errno).toBe(0);
    expect(await told()).toEqual([
      [null, '0.07'],
      [first, '0.09'],
      [day(0), '0.1'],
    ]);
    const asked = await own.api.db
      .selectFrom('recalculations')
      .select('from_at')
      .where('site_id', '=', stationID)
      .execute();
    expect(asked).toEqual([{ from_at: new Date(from) }]);
  });

  test('of prices by the time of day is kept exactly, shown as it is valid now, and recorded', async () => {
    const purchasePeriods = {
      weekday: [
        { from: '00:00', price: '0.2399' },
        { from: '06:15', price: '0.32' },
        { from: '17:00', price: '0.410001' },
      ],
      weekend: [{ from: '00:00', price: '0.25' }],
    };
    await sql`delete from recalculations`.execute(own.api.db);
    const flat = { feedInPeriods: null, price: '0.07' };
    await own.api.read(
      edit,
      { ...(await opened(stationID, own.tokens.owner)), ...flat, purchasePrice: null, purchasePeriods },
      own.tokens.owner,
    );
    const fields = await opened(stationID, own.tokens.owner);
    expect(fields).toMatchObject({ ...flat, purchasePrice: null, purchasePeriods });
    const shown = await own.api.read(detail, { stationID }, own.tokens.owner);
    expect(shown).toMatchObject({ price: '0.070000', purchasePeriods, feedInPeriods: null });
    expect(['0.2399', '0.32', '0.410001', '0.25']).toContain(shown.purchasePrice);
    const records = await recordOf(stationID);
    expect(records.at(-1)).toMatchObject({
      before: { purchasePeriods: null },
      after: { purchasePrice: null, purchasePeriods },
    });
    const asked = await own.api.db
      .selectFrom('recalculations')
      .select('depth')
      .where('site_id', '=', stationID)
      .execute();
    expect(asked).toEqual([{ depth: 'calendar' }]);

    await sql`delete from recalculations`.execute(own.api.db);
    const dearer = { ...purchasePeriods, weekend: null };
    await own.api.read(edit, { ...fields, purchasePeriods: dearer, priceValidFrom: 'beginning' }, own.tokens.owner);
    expect((await own.api.read(form, { stationID }, own.tokens.owner)).tariffs).toMatchObject([
      { when: 'past', fromMs: null, purchasePeriods: dearer },
      { when: 'now', purchasePeriods },
    ]);
    const again = await own.api.db
      .selectFrom('recalculations')
      .select('depth')
      .where('site_id', '=', stationID)
      .execute();
    expect(again.length).toBeGreaterThan(0);
  });

  test.each([
    ['has a hole at its beginning', [{ from: '00:15', price: '0.2' }]],
    ['is empty', []],
    [
      'begins between quarters of an hour',
      [
        { from: '00:00', price: '0.2' },
        { from: '06:10', price: '0.3' },
      ],
    ],
    [
      'has a period twice',
      [
        { from: '00:00', price: '0.2' },
        { from: '06:00', price: '0.3' },
        { from: '06:00', price: '0.4' },
      ],
    ],
    [
      'goes backwards',
      [
        { from: '00:00', price: '0.2' },
        { from: '07:00', price: '0.3' },
        { from: '06:00', price: '0.4' },
      ],
    ],
    ['has a price that is none', [{ from: '00:00', price: '-0.2' }]],
  ])('of prices whose day %s is refused', async (_, weekday) => {
    const fields = { ...(await opened(stationID, own.tokens.owner)), purchasePrice: null };
    for (const purchasePeriods of [
      { weekday, weekend: null },
      { weekday: [{ from: '00:00', price: '0.2' }], weekend: weekday },
    ]) {
      expect((await own.api.call(edit, { ...fields, purchasePeriods }, own.tokens.owner)).errno).toBe(
        errno.refusedInput,
      );
    }
  });

  test('of one price and prices by the time of day is refused where both are sent', async () => {
    const both = { price: '0.08', feedInPeriods: { weekday: [{ from: '00:00', price: '0.07' }], weekend: null } };
    const answer = await own.api.call(
      edit,
      { ...(await opened(stationID, own.tokens.owner)), ...both },
      own.tokens.owner,
    );
    expect([answer.errno, fieldsOf(answer.result)]).toEqual([errno.refusedInput, [['price', 'invalid_value']]]);
  });

  test('of prices that are yet to come leaves those of now, and can be taken back', async () => {
    const fields = await opened(stationID, own.tokens.owner);
    const coming = localDay(Date.now() + 20 * 86_400_000, 'Europe/Berlin');
    const comingMs = dayBounds(coming, 'Europe/Berlin').startMs;
    await own.api.read(edit, { ...fields, purchasePrice: '0.5', priceValidFrom: coming }, own.tokens.owner);
    const told = await own.api.read(form, { stationID }, own.tokens.owner);
    expect(told).toMatchObject({ purchasePrice: fields.purchasePrice ?? null, version: fields.version });
    expect(told.tariffs).toMatchObject([
      { when: 'now', purchasePrice: fields.purchasePrice },
      { when: 'future', validFrom: coming, fromMs: comingMs, purchasePrice: '0.5' },
    ]);
    const drop = (fromMs: number, token: string) => own.api.call(dropTariff, { stationID, fromMs }, token);
    expect((await drop(comingMs, own.tokens.stranger)).errno).toBe(errno.siteNotFound);
    expect((await drop(comingMs + 1, own.tokens.owner)).errno).toBe(errno.refusedInput);
    expect((await drop(comingMs, own.tokens.owner)).errno).toBe(0);
    expect((await drop(comingMs, own.tokens.owner)).errno).toBe(errno.refusedInput);
    expect((await own.api.read(form, { stationID }, own.tokens.owner)).tariffs).toHaveLength(1);
    const records = await recordOf(stationID);
    expect(records.at(-1)).toMatchObject({ action: 'sites.edit', before: { purchasePrice: '0.5' } });
  });
});
