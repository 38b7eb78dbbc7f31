import type { Command, CommandState } from '@sonnenwarte/contract/commands/command';
import type { SettingRow } from '@sonnenwarte/contract/remote-settings/setting';
import { expect, test } from 'vitest';
import { returnedOf } from './returned-edits.ts';

const LIMIT = 'Setting/ExportLimit';
const typed = { [LIMIT]: { value: 5_500, typed: '5,5', basedOn: 8_000 } };
const commands = (state: CommandState) => [{ commandID: 'one', state }] as unknown as Command[];
const rows = (reported: number) => [{ rule: { name: LIMIT }, reported }] as unknown as SettingRow[];
const sent = new Map([['one', typed]]);

test('a value that did not come through comes back as it was typed, with what the device has now', () => {
  for (const state of ['refused', 'differs', 'timedOut', 'expired', 'cancelled'] as const) {
    expect([state, returnedOf(sent, commands(state), rows(7_000), {})]).toEqual([
      state,
      { ended: ['one'], edits: { [LIMIT]: { value: 5_500, typed: '5,5', basedOn: 7_000, returnedBy: 'one' } } },
    ]);
  }
});

test('nothing comes back of what is under way, was confirmed, is with the device, or was edited anew', () => {
  expect(returnedOf(sent, commands('sent'), rows(8_000), {})).toEqual({ ended: [], edits: {} });
  expect(returnedOf(sent, commands('confirmed'), rows(5_500), {})).toEqual({ ended: ['one'], edits: {} });
  expect(returnedOf(sent, commands('timedOut'), rows(5_500), {})).toEqual({ ended: ['one'], edits: {} });
  const anew = { [LIMIT]: { value: 6_000, basedOn: 8_000 } };
  expect(returnedOf(sent, commands('refused'), rows(8_000), anew)).toEqual({ ended: ['one'], edits: {} });
  expect(returnedOf(new Map(), commands('refused'), rows(8_000), {})).toEqual({ ended: [], edits: {} });
});
