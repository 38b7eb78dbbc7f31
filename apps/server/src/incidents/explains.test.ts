import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AtPlant, causesOf, regionOf } from './explains.ts';
import { begunTogether, commonOrganisation } from './regions.ts';

const causeOf = (each: AtPlant, standing: readonly AtPlant[]): string | null => causesOf(standing).get(each.id) ?? null;

const at = (id: string, code: number, more: Partial<AtPlant> = {}): AtPlant => ({
  id,
  code,
  deviceId: `d-${id}`,
  loggerId: 'l',
  sinceMs: 0,
  ...more,
});

test('a silent datalogger explains its silent devices, and those of no other', () => {
  const standing = [
    at('logger', 5003, { deviceId: null }),
    at('own', 5004),
    at('other', 5004, { loggerId: 'elsewhere' }),
  ];
  expect(causeOf(standing[1] as AtPlant, standing)).toBe('logger');
  expect(causeOf(standing[2] as AtPlant, standing)).toBeNull();
  expect(causeOf(standing[0] as AtPlant, standing)).toBeNull();
});

test('a grid that is lost explains what inverters tell of it, and the first inverter the others', () => {
  const standing = [at('a', 1005), at('b', 1005, { sinceMs: 5 }), at('c', 1002, { sinceMs: 1 })];
  expect(standing.map((each) => causeOf(each, standing))).toEqual([null, 'a', 'a']);
});

test('a fan that stands explains the heat of its own device alone', () => {
  const standing = [at('fan', 3002, { deviceId: 'x' }), at('hot', 3001, { deviceId: 'x' }), at('far', 3001)];
  expect(standing.map((each) => causeOf(each, standing))).toEqual([null, 'fan', null]);
});

test('whatever stands, what explains something is never explained itself', () => {
  const codes = [1002, 1005, 1006, 3001, 3002, 3003, 4001, 4007, 5003, 5004];
  const one = fc.record({
    code: fc.constantFrom(...codes),
    deviceId: fc.constantFrom('x', 'y'),
    loggerId: fc.constantFrom('l', 'm'),
    sinceMs: fc.nat({ max: 3 }),
  });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 8 }), (list) => {
      const standing = list.map((each, index) => ({ ...each, id: `i${index}` }));
      const causes = new Map(standing.map((each) => [each.id, causeOf(each, standing)]));
      for (const cause of causes.values()) if (cause !== null) expect(causes.get(cause)).toBeNull();
    }),
  );
});

test('a plant of which every device tells everything is looked at once, not each of its alarms against each', () => {
  const standing = Array.from({ length: 25_000 }, (_, index) =>
    at(`i${index}`, 1001 + (index % 10), { deviceId: `d${index % 250}`, sinceMs: index }),
  );
  let looks = 0;
  const watched = standing.map((each) => ({
    ...each,
    get code() {
      looks += 1;
      return each.code;
    },
  }));
  causesOf(watched);
  expect(looks).toBeLessThan(10 * standing.length);
});

test('three plants of a postcode within ten minutes are one trouble, two plants or two hours are not', () => {
  const rows = (...minutes: number[]) =>
    minutes.map((minute, index) => ({ since: new Date(minute * 60_000), site_id: `s${index}` }));
  expect(begunTogether(rows(0, 3, 9))).toHaveLength(3);
  expect(begunTogether(rows(0, 3, 120, 125, 128, 129))).toHaveLength(4);
  expect(begunTogether(rows(0, 3))).toEqual([]);
  expect(begunTogether(rows(0, 60, 120))).toEqual([]);
  expect(begunTogether(rows(0, 1, 2).map((row) => ({ ...row, site_id: 's' })))).toEqual([]);
});

test('a trouble of several plants belongs to the lowest organisation that has them all', () => {
  expect(
    commonOrganisation([
      ['p', 'd', 'a', 'i'],
      ['p', 'd', 'a', 'j'],
    ]),
  ).toBe('a');
  expect(
    commonOrganisation([
      ['p', 'd'],
      ['p', 'd', 'a'],
    ]),
  ).toBe('d');
  expect(
    commonOrganisation([
      ['p', 'x'],
      ['p', 'y'],
    ]),
  ).toBe('p');
});

test('a postcode is the same however it is written', () => {
  expect(regionOf('DE', ' 85354 ')).toBe('DE 85354');
  expect(regionOf('GB', 'sw1a  1aa')).toBe('GB SW1A 1AA');
  expect(regionOf('DE', ' ')).toBe('');
});
