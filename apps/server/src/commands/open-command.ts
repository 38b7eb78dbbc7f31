import type { CommandContent, CommandKind, CommandSource, CommandState } from '@sonnenwarte/contract/commands/command';
import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import type { ChangedCommand } from './orders.ts';

export type Values = Readonly<Record<string, SettingValue>>;

/** What changes of a command on its way. */
export interface CommandProgress {
  state: CommandState;
  /** The device's own word; null until it has given one. */
  code: number | null;
  message: string;
  readBack: Values | null;
  tries: number;
  sentMs: number | null;
  acknowledgedMs: number | null;
  doneMs: number | null;
  dueMs: number | null;
}

/** A command that is under way or waits, as the dispatcher holds it. */
export interface OpenCommand extends CommandProgress {
  readonly id: string;
  readonly loggerId: string;
  readonly loggerKey: number;
  readonly loggerSn: string;
  readonly deviceId: string | null;
  readonly deviceKey: number | null;
  readonly kind: CommandKind;
  readonly content: CommandContent;
  readonly before: Values;
  readonly source: CommandSource;
  readonly orderedBy: string | null;
  readonly batchId: string | null;
  readonly createdMs: number;
  readonly expiresMs: number;
  /** Another was sent to the same subject after it: what it says now is of then. */
  readonly isOvertaken?: boolean;
  /** Of a device that only echoes: what it has told since the command was sent. */
  echo?: Record<string, SettingValue>;
}

/** To whom it goes: a device, or a datalogger itself. */
export const subjectOf = (command: Pick<OpenCommand, 'deviceId' | 'loggerId'>): string =>
  command.deviceId ?? command.loggerId;

/** Whether a datalogger shows by connecting again that it has done it: it restarts, or takes a new password. */
export const isProvenByReturn = ({ kind, deviceId, content }: Pick<OpenCommand, 'kind' | 'deviceId' | 'content'>) =>
  kind === 'action' && deviceId === null && (content.action === 'Reboot' || content.action === 'NewCredential');

/** As those are told who hear of commands. */
export const changedCommand = ({ id, loggerId, deviceId, batchId, source, content }: OpenCommand): ChangedCommand => ({
  id,
  loggerID: loggerId,
  deviceID: deviceId,
  batchID: batchId,
  source,
  action: content.action,
});

export const isUnderWay = ({ state }: CommandProgress): boolean => state === 'sent' || state === 'acknowledged';

export const isOpen = (progress: CommandProgress): boolean => progress.state === 'queued' || isUnderWay(progress);

const READING = '.r';

/** Under this id the values of a command are asked for that its result did not tell. */
export const readingIdOf = ({ id }: Pick<OpenCommand, 'id'>): string => `${id}${READING}`;

/** The command that a result is of, and whether it answers the question for its values. */
export function commandIdOf(resultId: string): { id: string; isReading: boolean } {
  const isReading = resultId.endsWith(READING);
  return { id: isReading ? resultId.slice(0, -READING.length) : resultId, isReading };
}

/** What is open of one subject, in the order in which it was ordered. */
export class Lane {
  readonly commands: OpenCommand[] = [];

  put(command: OpenCommand): void {
    const place = this.commands.findIndex((each) => isAfter(each, command));
    if (place < 0) this.commands.push(command);
    else this.commands.splice(place, 0, command);
  }

  remove(command: OpenCommand): void {
    const place = this.commands.indexOf(command);
    if (place >= 0) this.commands.splice(place, 1);
  }

  get underWay(): OpenCommand | undefined {
    return this.commands.find(isUnderWay);
  }

  /** Whose turn it is. */
  get next(): OpenCommand | undefined {
    return this.underWay === undefined ? this.commands[0] : undefined;
  }
}

function isAfter(a: OpenCommand, b: OpenCommand): boolean {
  return a.createdMs === b.createdMs ? a.id > b.id : a.createdMs > b.createdMs;
}
