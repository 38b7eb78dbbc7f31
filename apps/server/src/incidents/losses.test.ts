import type { Reason } from '@sonnenwarte/energy/insight/reasons';
import { expect, test } from 'vitest';
import { type Costing, lossesOf } from './losses.ts';

const incident = (id: string, code: number, more: Partial<Costing> = {}): Costing => ({
  id,
  code,
  level: 3,
  device: 'SN1',
  sinceMs: 0,
  untilMs: null,
  ...more,
});

const alarm = (code: number, device: string, lossWh: number): Reason => ({
  kind: 'alarm',
  lossWh,
  spans: [{ fromMs: 100, untilMs: 200 }],
  confidence: 0.95,
  evidence: { code, level: 3, device, hours: 1 },
});

test('what an alarm cost is put down to its incident, with its part of the money', () => {
  const day = { reasons: [alarm(3001, 'SN1', 600)], lossWh: 800, unexplainedWh: 200, money: '0.200000' };
  expect(lossesOf(day, [incident('a', 3001), incident('b', 3001, { device: 'SN2' }), incident('c', 3002)])).toEqual(
    new Map([['a', { wh: 600, money: '0.150000' }]]),
  );
});

test('of two incidents of one alarm on a day the one counts that stood then', () => {
  const day = { reasons: [alarm(3001, 'SN1', 600)], lossWh: 600, unexplainedWh: 0, money: null };
  const incidents = [incident('early', 3001, { untilMs: 90 }), incident('then', 3001, { sinceMs: 95 })];
  expect(lossesOf(day, incidents)).toEqual(new Map([['then', { wh: 600, money: null }]]));
});

test('a standstill without an alarm of its own is the gravest fault’s at its device, and nobody’s where nothing grave stands', () => {
  const standstill: Reason = {
    kind: 'standstill',
    lossWh: 500,
    spans: [],
    confidence: 0.9,
    evidence: { device: 'SN1', hours: 2 },
  };
  const day = { reasons: [standstill], lossWh: 500, unexplainedWh: 0, money: '1' };
  expect([...lossesOf(day, [incident('a', 3004, { level: 4 }), incident('b', 3001)]).keys()]).toEqual(['a']);
  expect(lossesOf(day, [incident('c', 3002, { level: 2 })])).toEqual(new Map());
});

test('what nothing explains is that of a plant below its neighbours', () => {
  const day = { reasons: [], lossWh: 400, unexplainedWh: 400, money: '0.4' };
  expect(lossesOf(day, [incident('plant', 7001, { device: null })])).toEqual(
    new Map([['plant', { wh: 400, money: '0.400000' }]]),
  );
});

test('what is not known costs nothing that could be told', () => {
  const offline: Reason = {
    kind: 'offline',
    lossWh: null,
    spans: [],
    confidence: 0.9,
    evidence: { silentHours: 3, expectedWh: 900, hadAlarm: false },
  };
  const day = { reasons: [offline], lossWh: null, unexplainedWh: null, money: null };
  expect(lossesOf(day, [incident('a', 5003, { device: null })])).toEqual(new Map());
});
