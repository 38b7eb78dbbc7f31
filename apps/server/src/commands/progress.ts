import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import { isSameSetting } from '@sonnenwarte/device-protocol/points/setting-values';
import { type CommandEvent, type CommandTimes, type Step, stepOf } from './commands.states.ts';
import { isProvenByReturn, type OpenCommand, type Values } from './open-command.ts';

export type Draft = Omit<OpenCommand, 'echo'>;

/** What comes with an event. */
export interface Happened {
  readonly nowMs: number;
  /** To the next look at it. */
  readonly answerMs: number;
  readonly word?: { readonly code: number; readonly message: string };
  readonly values?: Values;
}

/** A command after an event, and what is sent then; undefined where the event changes nothing. */
export function advanced(
  before: Draft,
  event: CommandEvent,
  { nowMs, answerMs, word, values }: Happened,
): { readonly to: Draft; readonly sends: Step['sends'] } | undefined {
  const step = stepOf(before, event);
  if (step === undefined) return undefined;
  const to: Draft = { ...before, state: step.to };
  if (word !== undefined) {
    to.code = word.code;
    to.message = word.message;
  }
  if (values !== undefined && Object.keys(values).length > 0) to.readBack = { ...before.readBack, ...values };
  if (step.sends === 'command') {
    to.tries = before.tries + 1;
    to.sentMs = before.sentMs ?? nowMs;
  }
  if (word?.code === 0 || step.to === 'acknowledged') to.acknowledgedMs = before.acknowledgedMs ?? nowMs;
  if (step.to === 'sent' || step.to === 'acknowledged') to.dueMs = nowMs + answerMs;
  else {
    to.dueMs = null;
    to.doneMs = step.to === before.state ? before.doneMs : nowMs;
  }
  return { to, sends: step.sends };
}

/** How whom a command is for stands to it. */
export interface Hearer {
  readonly isThere: boolean;
  readonly isPlain: boolean;
}

/** How long an answer is waited for. */
export function answerMsOf({ deviceId }: Pick<OpenCommand, 'deviceId'>, isPlain: boolean, times: CommandTimes): number {
  if (isPlain) return times.echoMs;
  return deviceId === null ? times.dataloggerMs : times.deviceMs;
}

/** Whether it may be sent once more under its id: who keeps no ids would do an action again. */
const mayRepeat = (
  { kind, tries, expiresMs }: Draft,
  { isPlain }: Hearer,
  times: CommandTimes,
  nowMs: number,
): boolean => tries < times.tries && nowMs < expiresMs && !(isPlain && kind === 'action');

/** Until when it is asked what came of a command that the device says to have done. */
const readUntilMs = (command: OpenCommand, { isPlain }: Hearer, times: CommandTimes, nowMs: number): number =>
  (command.acknowledgedMs ?? nowMs) + times.tries * answerMsOf(command, isPlain, times);

/** What it means for a command that its time has come, or until when it waits on. */
export function overdue(
  command: OpenCommand,
  hearer: Hearer,
  times: CommandTimes,
  nowMs: number,
): { readonly event: CommandEvent } | { readonly untilMs: number } | undefined {
  const { state, expiresMs } = command;
  if (state === 'queued') return nowMs >= expiresMs ? { event: 'expire' } : { untilMs: expiresMs };
  if (state === 'sent') {
    if (!hearer.isThere) return nowMs < expiresMs ? { untilMs: expiresMs } : { event: 'silentForGood' };
    if (mayRepeat(command, hearer, times, nowMs)) return { event: 'silent' };
    return { event: hearer.isPlain && command.echo !== undefined ? 'refuse' : 'silentForGood' };
  }
  if (state === 'acknowledged' && isProvenByReturn(command))
    return nowMs >= expiresMs ? { event: 'silentForGood' } : { untilMs: expiresMs };
  if (state === 'acknowledged') {
    const longestMs = readUntilMs(command, hearer, times, nowMs);
    const endMs = hearer.isThere ? longestMs : Math.max(expiresMs, longestMs);
    if (nowMs >= endMs) return { event: 'silentForGood' };
    return hearer.isThere ? { event: 'silent' } : { untilMs: endMs };
  }
  return undefined;
}

/** What it means that its device is there again. */
export const backEvent = (
  command: OpenCommand,
  hearer: Hearer,
  times: CommandTimes,
  nowMs: number,
): CommandEvent | undefined => {
  if (command.state === 'acknowledged' && isProvenByReturn(command))
    return command.content.action === 'Reboot' ? 'returned' : undefined;
  // Who goes and comes again and again is not asked for ever.
  if (
    command.state === 'acknowledged' &&
    nowMs >= Math.max(command.expiresMs, readUntilMs(command, hearer, times, nowMs))
  )
    return 'silentForGood';
  return command.state !== 'sent' || mayRepeat(command, hearer, times, nowMs) ? 'back' : undefined;
};

/** Whether what a device tells is what was to be written; undefined where it does not tell all of it. */
export function isAsWanted({ content }: Pick<OpenCommand, 'content'>, values: Values): boolean | undefined {
  const wanted = Object.entries(content.values ?? {});
  if (wanted.length === 0 || wanted.some(([name]) => values[name] === undefined)) return undefined;
  return wanted.every(([name, value]) => isSameSetting(name, value, values[name]));
}

/** Of what a device told, that which the command is about. */
export function ofCommand(
  { kind, content }: Pick<OpenCommand, 'kind' | 'content'>,
  values: Values,
): Record<string, SettingValue> {
  const isMeant = (name: string): boolean =>
    kind === 'write'
      ? content.values?.[name] !== undefined
      : kind === 'read' &&
        (content.names ?? []).some((asked) =>
          asked.endsWith('*') ? name.startsWith(asked.slice(0, -1)) : name === asked,
        );
  return Object.fromEntries(Object.entries(values).filter(([name]) => isMeant(name)));
}

/** What it means that a device has told values by itself, where that alone says how a command went. */
export function toldEvent(
  command: OpenCommand,
  values: Values,
  hearer: Hearer,
  isBirth: boolean,
): CommandEvent | undefined {
  if (command.kind === 'read') return hearer.isPlain && isBirth ? 'toldAsWanted' : undefined;
  if (command.kind !== 'write') return undefined;
  // Who answers commands is asked; what it tells beside may be of before.
  if (command.state !== 'acknowledged' && !hearer.isPlain) return undefined;
  const isDone = isAsWanted(command, values);
  if (isDone === undefined || isDone) return isDone ? 'toldAsWanted' : undefined;
  // What it had before may have been on its way when the command was sent, and its birth tells what was.
  const isOther = Object.entries(command.content.values ?? {}).some(
    ([name, value]) =>
      !isSameSetting(name, value, values[name]) &&
      !(command.before[name] !== undefined && isSameSetting(name, command.before[name], values[name])),
  );
  const hasBefore = Object.keys(command.content.values ?? {}).every((name) => command.before[name] !== undefined);
  return isOther && hasBefore && !isBirth ? 'toldOtherwise' : undefined;
}
