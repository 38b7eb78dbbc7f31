import type { CommandKind, CommandState } from '@sonnenwarte/contract/commands/command';
import { ResultCode } from '@sonnenwarte/device-protocol/sparkplug/commands';

/**
 * What happens to a command.
 * `send`: its turn has come and the device is there. `cancel`: taken back. `expire`: its time is over.
 * `done`: the device says that it has done what leaves no value. `begun`: it says so of what it proves by connecting again, `returned`: it has. `doneAsWanted`, `doneOtherwise`, `doneUnread`: it says that it has written, and told
 * what it has now: what was wanted, something else, nothing. `partly`: a part only. `refuse`, `readBackDiffers`, `tooLate`: it has not, as it says.
 * `readAsWanted`, `readOtherwise`: a reading that followed. `toldAsWanted`, `toldOtherwise`: what it told by itself.
 * `silent`: nothing came in time. `silentForGood`: that was the last try. `back`: the device was away and is there again.
 */
export const commandEvents = [
  'send',
  'cancel',
  'expire',
  'done',
  'begun',
  'returned',
  'doneAsWanted',
  'doneOtherwise',
  'doneUnread',
  'partly',
  'refuse',
  'readBackDiffers',
  'tooLate',
  'readAsWanted',
  'readOtherwise',
  'toldAsWanted',
  'toldOtherwise',
  'silent',
  'silentForGood',
  'back',
] as const;
export type CommandEvent = (typeof commandEvents)[number];

/** Which state follows, and what is sent then: the command (again, under the same id), or a question for its values. */
export interface Step {
  readonly to: CommandState;
  readonly sends?: 'command' | 'reading';
}

const words = {
  done: { to: 'confirmed' },
  doneAsWanted: { to: 'confirmed' },
  doneOtherwise: { to: 'differs' },
  partly: { to: 'differs' },
  refuse: { to: 'refused' },
  readBackDiffers: { to: 'differs' },
  tooLate: { to: 'expired' },
} as const satisfies Partial<Record<CommandEvent, Step>>;

const table: Readonly<Record<CommandState, Readonly<Partial<Record<CommandEvent, Step>>>>> = {
  queued: { send: { to: 'sent', sends: 'command' }, cancel: { to: 'cancelled' }, expire: { to: 'expired' } },
  sent: {
    ...words,
    begun: { to: 'acknowledged' },
    doneUnread: { to: 'acknowledged', sends: 'reading' },
    toldAsWanted: { to: 'confirmed' },
    toldOtherwise: { to: 'differs' },
    silent: { to: 'sent', sends: 'command' },
    silentForGood: { to: 'timedOut' },
    back: { to: 'sent', sends: 'command' },
  },
  acknowledged: {
    ...words,
    returned: { to: 'confirmed' },
    readAsWanted: { to: 'confirmed' },
    readOtherwise: { to: 'differs' },
    toldAsWanted: { to: 'confirmed' },
    toldOtherwise: { to: 'differs' },
    silent: { to: 'acknowledged', sends: 'reading' },
    silentForGood: { to: 'timedOut' },
    back: { to: 'acknowledged', sends: 'reading' },
  },
  // What comes late is true all the same.
  timedOut: {
    ...words,
    begun: { to: 'timedOut' },
    doneUnread: { to: 'timedOut', sends: 'reading' },
    readAsWanted: { to: 'confirmed' },
    readOtherwise: { to: 'differs' },
    toldAsWanted: { to: 'confirmed' },
  },
  // The word of the device goes before what its values seem to say.
  confirmed: {
    doneAsWanted: { to: 'confirmed' },
    doneUnread: { to: 'confirmed' },
    doneOtherwise: { to: 'differs' },
    refuse: { to: 'refused' },
    readBackDiffers: { to: 'differs' },
    tooLate: { to: 'expired' },
    partly: { to: 'differs' },
  },
  refused: {},
  differs: {},
  expired: {},
  cancelled: {},
};

/** What a command is, as far as its next state depends on it. */
export interface Standing {
  readonly state: CommandState;
  /** The device's own word, where it has given one. */
  readonly code: number | null;
}

/** The step that an event brings; undefined where it changes nothing. */
export function stepOf({ state, code }: Standing, event: CommandEvent): Step | undefined {
  // Once the device has said itself how it ended, nothing it says again changes that.
  if (state === 'confirmed' && code !== null) return undefined;
  return table[state][event];
}

/** What a result says. `isRead`: undefined where the result tells no values of what was written, else whether they are as wanted. */
export function eventOfResult(kind: CommandKind, code: number, isAsWanted: boolean | undefined): CommandEvent {
  switch (code) {
    case ResultCode.ok:
      if (kind !== 'write') return 'done';
      if (isAsWanted === undefined) return 'doneUnread';
      return isAsWanted ? 'doneAsWanted' : 'doneOtherwise';
    // Of a reading there is what was found.
    case ResultCode.partial:
      return kind === 'read' ? 'done' : 'partly';
    case ResultCode.readBackDiffers:
      return 'readBackDiffers';
    case ResultCode.expired:
      return 'tooLate';
    default:
      return 'refuse';
  }
}

export interface CommandTimes {
  /** To the answer of a datalogger of itself, and of a device behind one. */
  readonly dataloggerMs: number;
  readonly deviceMs: number;
  /** To the echo of a device that does not answer commands. */
  readonly echoMs: number;
  /** Times that a command is sent in all. */
  readonly tries: number;
}

export const COMMAND_TIMES: CommandTimes = { dataloggerMs: 15_000, deviceMs: 60_000, echoMs: 30_000, tries: 3 };
export const EXPIRES_AFTER_MS = 10 * 60_000;
