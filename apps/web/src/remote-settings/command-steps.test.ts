import { type Command, type CommandState, commandStates, isOpenCommand } from '@sonnenwarte/contract/commands/command';
import type { SettingRow } from '@sonnenwarte/contract/remote-settings/setting';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shownCommand, stepsOf, withOrdered } from './command-steps.ts';

const command = (state: CommandState, own: Partial<Command> = {}): Command => ({
  commandID: '01JX0000000000000000000001',
  subjectID: '',
  subjectSN: '',
  kind: 'write',
  content: {},
  source: 'hand',
  orderedBy: '',
  state,
  code: null,
  message: '',
  before: {},
  readBack: null,
  tries: 0,
  createdMs: 1_000,
  expiresMs: 601_000,
  sentMs: null,
  acknowledgedMs: null,
  doneMs: null,
  waitsFor: null,
  ...own,
});

const states = (of: Command) => stepsOf(of).map(({ state }) => state);

describe('steps of a command', () => {
  test('one is awaited while it is under way', () => {
    expect(states(command('queued'))).toEqual(['done', 'now', 'todo', 'todo']);
    expect(states(command('sent', { sentMs: 2_000 }))).toEqual(['done', 'done', 'now', 'todo']);
    expect(states(command('acknowledged', { sentMs: 2_000, acknowledgedMs: 3_000 }))).toEqual([
      'done',
      'done',
      'done',
      'now',
    ]);
  });

  test('it ends confirmed, or at the step that it did not reach, with nothing still to come', () => {
    const done = { sentMs: 2_000, doneMs: 4_000 };
    expect(states(command('confirmed', done))).toEqual(['done', 'done', 'done', 'done']);
    expect(states(command('refused', { ...done, code: 6 }))).toEqual(['done', 'done', 'bad']);
    expect(states(command('differs', done))).toEqual(['done', 'done', 'done', 'bad']);
    expect(states(command('expired', { doneMs: 601_000 }))).toEqual(['done', 'bad']);
  });

  test('whatever its state, what is done comes before what is not, and only an open one is awaited', () => {
    fc.assert(
      fc.property(fc.constantFrom(...commandStates), fc.boolean(), fc.boolean(), (state, sent, answered) => {
        const steps = states(
          command(state, {
            sentMs: sent ? 2_000 : null,
            acknowledgedMs: sent && answered ? 3_000 : null,
            doneMs: isOpenCommand(state) ? null : 4_000,
          }),
        );
        expect(steps).toEqual(steps.toSorted((left, right) => rank(left) - rank(right)));
        expect(steps.includes('now') && !isOpenCommand(state)).toBe(false);
        expect(steps.includes('bad') && isOpenCommand(state)).toBe(false);
        expect(steps.includes('todo') && !isOpenCommand(state)).toBe(false);
      }),
    );
  });
});

const rank = (state: string): number => ['done', 'now', 'bad', 'todo'].indexOf(state);

test('the command that is under way is shown before those that wait, and these before one that has ended', () => {
  const ended = command('confirmed', { commandID: 'ended', createdMs: 9_000 });
  const late = command('queued', { commandID: 'late', createdMs: 8_000 });
  const early = command('queued', { commandID: 'early', createdMs: 7_000 });
  const sent = command('sent', { commandID: 'sent', createdMs: 6_000 });
  expect(shownCommand([ended, late, early, sent])?.commandID).toBe('sent');
  expect(shownCommand([ended, late, early])?.commandID).toBe('early');
  expect(shownCommand([ended])?.commandID).toBe('ended');
  expect(shownCommand([])).toBeUndefined();
});

test('what is on its way to the device is what is wanted of it, the newest of several', () => {
  const write = (state: CommandState, value: number, createdMs: number) =>
    command(state, { createdMs, content: { values: { 'Setting/ActivePowerLimit': value } } });
  const row = (state: SettingRow['state']) =>
    ({ rule: { name: 'Setting/ActivePowerLimit' }, state, desired: 100 }) as unknown as SettingRow;
  const open = [write('queued', 70, 3_000), write('sent', 80, 2_000), write('refused', 60, 4_000)];
  expect(withOrdered([row('pending')], open)[0]?.desired).toBe(70);
  expect(withOrdered([row('refused')], [write('refused', 60, 4_000)])[0]?.desired).toBe(100);
});
