import type { SettingRow } from '@sonnenwarte/contract/remote-settings/setting';
import { describe, expect, test } from 'vitest';
import { type Edit, editsOf, withEdit } from './edits.ts';
import { statusOf } from './row-status.ts';
import { firstGroup, summariesOf } from './setting-groups.ts';

const row = (own: Partial<SettingRow> = {}, rule: Partial<SettingRow['rule']> = {}): SettingRow => ({
  rule: {
    name: 'Setting/ExportLimit',
    group: 'exportLimit',
    form: 'number',
    unit: 'W',
    low: 0,
    high: 32_000,
    step: 1,
    decimals: 0,
    default: null,
    options: [],
    columns: [],
    mostRows: 0,
    labelKey: '',
    meaningKey: '',
    riskKey: null,
    isDangerous: false,
    ...rule,
  },
  state: 'told',
  reported: 8_000,
  reportedMs: 1_000,
  desired: null,
  desiredSinceMs: null,
  desiredBy: '',
  desiredSource: null,
  driftedSinceMs: null,
  command: null,
  blockedBy: null,
  can: { write: true, whyNot: null },
  ...own,
});

const command = (state: NonNullable<SettingRow['command']>['state'], code: number | null = null) => ({
  commandID: 'x',
  state,
  code,
  message: '',
  atMs: 5_000,
});

describe('what is said of a setting', () => {
  test('a command under way comes before drift, drift before a refusal, and these before what blocks it', () => {
    const blockedBy = { name: 'Setting/WorkMode', labelKey: '', value: 4 };
    expect(statusOf(row({ state: 'pending', command: command('sent'), blockedBy })).word).toBe('sent');
    expect(statusOf(row({ state: 'drifted', driftedSinceMs: 3_000, blockedBy }))).toMatchObject({
      word: 'drifted',
      atMs: 3_000,
    });
    expect(statusOf(row({ state: 'refused', command: command('refused', 6), blockedBy })).word).toBe('refused');
    expect(statusOf(row({ blockedBy })).word).toBe('blocked');
  });

  test('a dangerous one says that it is written by typing; one that may not be written says why', () => {
    expect(statusOf(row({ state: 'confirmed', desiredSinceMs: 4_000 }))).toMatchObject({
      word: 'confirmed',
      atMs: 4_000,
    });
    expect(statusOf(row({ state: 'confirmed' }, { isDangerous: true })).word).toBe('typing');
    expect(statusOf(row({ can: { write: false, whyNot: 'level' } })).word).toBe('level');
    expect(statusOf(row({ can: { write: false, whyNot: 'readOnly' } })).word).toBe('readOnly');
    expect(statusOf(row({ state: 'neverRead', reported: null, reportedMs: null })).word).toBe('neverRead');
  });
});

describe('what is said of a setting that is being edited', () => {
  const edit = (value: number, own: Partial<Edit> = {}): Edit => ({ value, basedOn: 8_000, ...own });

  test('it is not written yet, or cannot be as it is typed; no longer as the device tells it', () => {
    expect(statusOf(row(), edit(5_000)).word).toBe('unwritten');
    expect(statusOf(row(), edit(99_000))).toMatchObject({ word: 'outside', tone: 'bad' });
    expect(statusOf(row(), edit(0, { value: null, typed: 'five' })).word).toBe('unwritable');
    expect(statusOf(row({}, { low: null }), edit(99_000)).word).toBe('unwritable');
    expect(statusOf(row({ state: 'confirmed' }, { isDangerous: true }), edit(5_000)).word).toBe('unwritten');
  });

  test('what came back from the device says how it was refused, until something else is typed', () => {
    const refused = row({ state: 'refused', command: command('refused', 6) });
    expect(statusOf(refused, edit(5_000, { returnedBy: 'x' })).word).toBe('refused');
    expect(statusOf(refused, edit(6_000)).word).toBe('unwritten');
    expect(statusOf(row(), edit(5_000, { returnedBy: 'x' })).word).toBe('unwritten');
  });

  test('what runs, and what the device has changed by itself, comes before it', () => {
    expect(statusOf(row({ state: 'pending', command: command('sent') }), edit(5_000)).word).toBe('sent');
    expect(statusOf(row({ state: 'drifted', driftedSinceMs: 3_000 }), edit(5_000)).word).toBe('drifted');
  });
});

describe('groups', () => {
  test('each says what is open in it; the first in which something is, is shown first', () => {
    const rows = [
      row({}, { name: 'Setting/WorkMode', group: 'workMode' }),
      row({ state: 'drifted' }),
      row({}, { name: 'Setting/GridCode', group: 'gridCode', isDangerous: true }),
    ];
    const edits = { 'Setting/GridCode': { value: 'VDE4105', basedOn: null } };
    const groups = summariesOf(rows, edits);
    expect(groups.map(({ group, drifted, edited, isGuarded }) => [group, drifted, edited, isGuarded])).toEqual([
      ['workMode', 0, 0, false],
      ['exportLimit', 1, 0, false],
      ['gridCode', 0, 1, true],
    ]);
    expect(firstGroup(groups)).toBe('exportLimit');
    expect(firstGroup(summariesOf(rows.slice(0, 1), {}))).toBe('workMode');
  });
});

describe('own edits', () => {
  const limit: Edit = { value: 5_000, typed: '5', basedOn: 8_000 };

  test('they keep the order in which they were begun, and come back from a draft', () => {
    const both = withEdit(withEdit({}, 'b', limit), 'a', limit);
    expect(Object.keys(withEdit(both, 'b', { ...limit, value: null }))).toEqual(['b', 'a']);
    expect(withEdit(both, 'b', undefined)).toEqual({ a: limit });
    expect(editsOf(JSON.parse(JSON.stringify(both)) as object)).toEqual(both);
  });

  test('a draft of another shape is none', () => {
    expect(editsOf({ 'Setting/ExportLimit': 'five' })).toEqual({});
  });
});
