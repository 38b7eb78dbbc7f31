import { languages } from '@sonnenwarte/contract/languages';
import { attachedKinds, pointByName, pointsOf } from '@sonnenwarte/device-protocol/points/points';
import { expect, test } from 'vitest';
import type { DeviceNow } from '../device-rows/device-rows.store.ts';
import { discoveryRules } from '../testing/home-assistant.ts';
import { classOf, stateOf } from './entities.ts';
import { dataloggerMessages, deviceMessages } from './messages.ts';
import { discoveryTopic, isOfAccount, matches } from './topics.ts';

const NOW_MS = Date.UTC(2026, 5, 1);
const reader = { username: 'owner', language: 'en', portal: 'https://portal.example' } as const;

const deviceOf = (kind: DeviceNow['kind']) =>
  ({
    sn: 'ABC-1_x',
    kind,
    model: 'X 10',
    version_master: '1.2',
    logger_sn: '100000000000001',
    site_name: 'Dach',
    state: 'normal',
    values: Object.fromEntries(
      pointsOf[kind].map(({ name, unit }) => [
        name,
        [unit === 'text' ? 'text' : 1, NOW_MS] as [string | number, number],
      ]),
    ),
  }) as DeviceNow;

const pointOf = (kind: DeviceNow['kind'], name: string) => {
  const point = pointByName(kind, name);
  if (point === undefined) throw new Error(`no point ${name}`);
  return point;
};

test.each(attachedKinds)(
  'what a %s can tell is announced by the rules of Home Assistant, in every language',
  (kind) => {
    for (const language of languages) {
      const messages = deviceMessages(deviceOf(kind), { ...reader, language });
      const announced = discoveryRules.parse(JSON.parse(messages.get(discoveryTopic('ABC-1_x')) ?? ''));
      const entities = Object.values(announced.components);
      const ids = entities.map(({ unique_id }) => unique_id);
      expect(new Set(ids).size).toBe(ids.length);
      const names = entities.map(({ name }) => name);
      expect(names.filter((name) => name.startsWith('points.') || name.includes('{{'))).toEqual([]);
      for (const entity of entities) {
        const state = messages.get(entity.state_topic);
        if (entity.platform === 'binary_sensor') expect(['ON', 'OFF']).toContain(state);
        else if (entity.options !== undefined) expect(entity.options).toContain(state);
        else expect(Number.isFinite(Number(state))).toBe(true);
      }
    }
  },
);

test('a datalogger is announced by the same rules, with and without a signal', () => {
  for (const rssi_dbm of [null, -71]) {
    const row = { sn: '100000000000001', model: '', firmware: '', rssi_dbm, site_name: 'Dach', is_online: true };
    const messages = dataloggerMessages(row, reader);
    const announced = discoveryRules.parse(JSON.parse(messages.get(discoveryTopic(row.sn)) ?? ''));
    expect(Object.keys(announced.components)).toHaveLength(rssi_dbm === null ? 1 : 2);
  }
});

test('what only grows is an energy that Home Assistant adds up, and nothing else is', () => {
  const energies = attachedKinds.flatMap((kind) => pointsOf[kind].filter(({ unit }) => unit === 'kWh'));
  for (const point of energies) {
    const grows = point.accumulates !== false || point.name === 'Pile/SessionEnergy';
    expect([point.name, classOf(point)]).toEqual([
      point.name,
      grows
        ? { device_class: 'energy', state_class: 'total_increasing', unit_of_measurement: 'kWh' }
        : { device_class: 'energy_storage', state_class: 'measurement', unit_of_measurement: 'kWh' },
    ]);
  }
});

test('a value is told in whole steps, a state in words, and what is none of them as unknown', () => {
  expect(stateOf(pointOf('inverter', 'AC/ActivePower'), 1234.56, 'en')).toBe('1234.6');
  expect(stateOf(pointOf('inverter', 'DC/Power'), -3, 'en')).toBe('0');
  expect(stateOf(pointOf('inverter', 'AC/ActivePower'), -0.0001, 'en')).toBe('0');
  expect(stateOf(pointOf('battery', 'Bat/State'), 1, 'de')).toBe('Lädt');
  expect(stateOf(pointOf('battery', 'Bat/State'), 99, 'de')).toBe('None');
  expect(stateOf(pointOf('battery', 'Bat/Relay'), false, 'de')).toBe('OFF');
});

test('a filter is of an account only if its levels up to the user name are without a wildcard', () => {
  for (const filter of ['homeassistant/#', 'homeassistant/+/+/config', 'pv/out/owner/#', 'pv/out/owner/1/x']) {
    expect([filter, isOfAccount('owner', filter)]).toEqual([filter, true]);
  }
  for (const filter of [
    '#',
    '+/#',
    'homeassistant',
    'pv/#',
    'pv/out/#',
    'pv/out/+/1/x',
    'pv/out/owner2/#',
    'pv/out/own',
  ]) {
    expect([filter, isOfAccount('owner', filter)]).toEqual([filter, false]);
  }
  expect(isOfAccount('a/b', 'pv/out/a/b/1')).toBe(false);
});

test('filters match as MQTT says', () => {
  expect(matches('a/+/c', 'a/b/c')).toBe(true);
  expect(matches('a/#', 'a')).toBe(true);
  expect(matches('a/#', 'a/b/c')).toBe(true);
  expect(matches('a/+', 'a/b/c')).toBe(false);
  expect(matches('a/+', 'a')).toBe(false);
});
