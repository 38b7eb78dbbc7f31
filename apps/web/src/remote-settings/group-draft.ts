import { type SettingValue, settingValue } from '@sonnenwarte/contract/commands/setting-value';
import { type DeviceKind, deviceKind } from '@sonnenwarte/contract/devices/device';
import { useMemo, useSyncExternalStore } from 'react';
import * as z from 'zod/mini';
import { draftKey, dropDraft, keepDraft, NO_TAB, readDraft, watchDrafts } from '../blocks/form/drafts.ts';

/** A group write that is being put together. */
const groupDraft = z.object({
  kind: z._default(deviceKind, 'inverter'),
  deviceIDs: z._default(z.array(z.string()), []),
  values: z._default(z.record(z.string(), z.nullable(settingValue)), {}),
  /** What was typed of values that are numbers. */
  typed: z._default(z.record(z.string(), z.string()), {}),
  /** Devices that the preview leaves out at the user's wish. */
  without: z._default(z.array(z.string()), []),
  stopAfter: z._default(z.nullable(z.int()), 3),
  name: z._default(z.string(), ''),
});
export type GroupDraft = z.infer<typeof groupDraft>;

const empty: GroupDraft = z.parse(groupDraft, {});
/** It is not of a tab: whoever copies settings from a device begins it elsewhere. */
const key = draftKey(NO_TAB, '/c/v0/device/group/run', 'new');

const textNow = (): string => JSON.stringify(readDraft(key));
const draftOf = (text: string): GroupDraft => z.safeParse(groupDraft, JSON.parse(text)).data ?? empty;

export function changeGroup(change: Partial<GroupDraft>): void {
  keepDraft(key, { ...draftOf(textNow()), ...change });
}

/** Begins a group write for devices of a kind, with values to begin with. */
export function beginGroup(kind: DeviceKind, values: Readonly<Record<string, SettingValue>> = {}): void {
  keepDraft(key, { ...empty, kind, values: { ...values } });
}

export const dropGroup = (): void => dropDraft(key);

export function useGroupDraft(): GroupDraft {
  const text = useSyncExternalStore(watchDrafts, textNow);
  return useMemo(() => draftOf(text), [text]);
}

/** Values that are whole, as they are sent. */
export const wholeValues = ({ values }: GroupDraft): { name: string; value: SettingValue }[] =>
  Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
