import type { Command } from '@sonnenwarte/contract/commands/command';
import type { SettingChange } from '@sonnenwarte/contract/remote-settings/setting';
import { expect, test } from 'vitest';
import { withFailed } from './failed-orders.ts';

const change = (atMs: number) => ({ changeID: String(atMs), atMs }) as SettingChange;
const order = (createdMs: number, doneMs: number | null = null) =>
  ({ commandID: String(createdMs), createdMs, doneMs }) as Command;
const timesOf = (entries: ReturnType<typeof withFailed>) =>
  entries.map((entry) => (entry.change ? entry.change.atMs : -entry.order.createdMs));

test('what was refused stands between the changes around it, by when it ended', () => {
  const entries = withFailed({ changes: [change(90), change(50)], isLast: true, beforeMs: null }, [
    order(95),
    order(40, 60),
    order(10),
  ]);
  expect(timesOf(entries)).toEqual([-95, 90, -40, 50, -10]);
});

test('over the pages each order stands once', () => {
  const orders = [order(95), order(70), order(45), order(5)];
  const pages = [
    { changes: [change(90), change(80)], isLast: false, beforeMs: null },
    { changes: [change(60), change(50)], isLast: false, beforeMs: 80 },
    { changes: [change(40), change(30)], isLast: true, beforeMs: 50 },
  ];
  expect(pages.map((page) => timesOf(withFailed(page, orders)))).toEqual([
    [-95, 90, 80],
    [-70, 60, 50],
    [-45, 40, 30, -5],
  ]);
});

test('where nothing was changed what was refused stands alone', () => {
  expect(timesOf(withFailed({ changes: [], isLast: true, beforeMs: null }, [order(5), order(8)]))).toEqual([-8, -5]);
});
