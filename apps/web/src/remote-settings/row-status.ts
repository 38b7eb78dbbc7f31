import type { CommandState } from '@sonnenwarte/contract/commands/command';
import type { SettingRow } from '@sonnenwarte/contract/remote-settings/setting';
import type { Tone } from '../blocks/show/badge.tsx';
import type { Edit } from './edits.ts';
import { refusalOf } from './values.ts';

/** What is said of a setting: the first of these that holds. */
export type RowWord =
  | 'drifted'
  | 'queued'
  | 'sent'
  | 'acknowledged'
  | 'refused'
  | 'differs'
  | 'timedOut'
  | 'expired'
  | 'outside'
  | 'unwritable'
  | 'unwritten'
  | 'blocked'
  | 'readOnly'
  | 'level'
  | 'typing'
  | 'confirmed'
  | 'told'
  | 'neverRead';

export interface RowStatus {
  readonly word: RowWord;
  readonly tone: Tone;
  /** Since when it is so, or when it became so; null where no time belongs to it. */
  readonly atMs: number | null;
}

const tones: Readonly<Record<RowWord, Tone>> = {
  drifted: 'warn',
  queued: 'brand',
  sent: 'brand',
  acknowledged: 'brand',
  refused: 'bad',
  differs: 'bad',
  timedOut: 'warn',
  expired: 'warn',
  outside: 'bad',
  unwritable: 'bad',
  unwritten: 'brand',
  blocked: 'neutral',
  readOnly: 'neutral',
  level: 'neutral',
  typing: 'neutral',
  confirmed: 'good',
  told: 'neutral',
  neverRead: 'neutral',
};

const open: Partial<Record<CommandState, RowWord>> = { queued: 'queued', sent: 'sent', acknowledged: 'acknowledged' };
const failed: Partial<Record<CommandState, RowWord>> = {
  refused: 'refused',
  differs: 'differs',
  timedOut: 'timedOut',
  expired: 'expired',
};

const status = (word: RowWord, atMs: number | null = null): RowStatus => ({ word, tone: tones[word], atMs });

/** What is typed cannot be written: outside of bounds that can be named, or for another reason. */
function typedStatus({ rule }: SettingRow, edit: Edit): RowStatus | undefined {
  const refused = refusalOf(rule, edit.value ?? edit.typed ?? null);
  if (refused === undefined) return undefined;
  const isNamed = rule.form === 'number' && rule.low !== null && rule.high !== null;
  return status(isNamed && (refused.why === 'low' || refused.why === 'high') ? 'outside' : 'unwritable');
}

/** The one thing that has to be known of a setting; of one that is being edited, what becomes of what was typed. */
export function statusOf(row: SettingRow, edit?: Edit): RowStatus {
  const { state, command, blockedBy, can, rule, desiredSinceMs, driftedSinceMs, reportedMs } = row;
  const underWay = state === 'pending' ? open[command?.state ?? 'queued'] : undefined;
  if (underWay) return status(underWay, command?.atMs ?? null);
  if (state === 'drifted') return status('drifted', driftedSinceMs);
  const refused = state === 'refused' && command ? failed[command.state] : undefined;
  const unwritable = edit && typedStatus(row, edit);
  if (unwritable) return unwritable;
  if (edit !== undefined && edit.returnedBy !== command?.commandID) return status('unwritten');
  if (refused) return status(refused, command?.atMs ?? null);
  if (edit !== undefined) return status('unwritten');
  if (blockedBy !== null) return status('blocked');
  if (can.whyNot === 'readOnly' || can.whyNot === 'level') return status(can.whyNot);
  if (state === 'neverRead') return status('neverRead');
  if (rule.isDangerous && can.write) return status('typing');
  return state === 'confirmed' ? status('confirmed', desiredSinceMs) : status('told', reportedMs);
}
