import { type Command, isOpenCommand } from '@sonnenwarte/contract/commands/command';
import type { SettingRow } from '@sonnenwarte/contract/remote-settings/setting';

export const stepNames = ['queued', 'sent', 'acknowledged', 'confirmed'] as const;
export type StepName = (typeof stepNames)[number];

export interface Step {
  readonly name: StepName;
  readonly state: 'done' | 'now' | 'todo' | 'bad';
  readonly atMs: number | null;
}

/** How often a command is sent at most: once, and twice more with the same number. */
export const MOST_TRIES = 3;

/** The four steps of a command: what was done when and what is awaited, or up to where it ended. A read ends with its answer. */
export function stepsOf(command: Command): Step[] {
  const { state, createdMs, sentMs, acknowledgedMs, doneMs } = command;
  const reached: readonly (number | null)[] = [
    createdMs,
    sentMs,
    acknowledgedMs ?? (state === 'confirmed' || state === 'differs' ? doneMs : null),
    state === 'confirmed' ? doneMs : null,
  ];
  // What was reached later was passed before, also where the time of that was not told.
  const last = reached.findLastIndex((atMs) => atMs !== null);
  const next = last + 1;
  const isOpen = isOpenCommand(state);
  const told = isOpen ? stepNames : stepNames.slice(0, next + 1);
  return told.map((name, at) => {
    const atMs = reached[at] ?? null;
    if (at <= last) return { name, state: 'done', atMs };
    if (at > next) return { name, state: 'todo', atMs };
    return isOpen ? { name, state: 'now', atMs } : { name, state: 'bad', atMs: doneMs };
  });
}

/** Since when the present step is awaited. */
export const awaitedSinceMs = ({ createdMs, sentMs, acknowledgedMs }: Command): number =>
  acknowledgedMs ?? sentMs ?? createdMs;

/** The command to be shown: the oldest that is under way, else the next in the row, else the one that ended last. */
export function shownCommand(commands: readonly Command[]): Command | undefined {
  const open = commands.filter(({ state }) => isOpenCommand(state));
  const underWay = open.find(({ state }) => state !== 'queued');
  return underWay ?? open.toSorted((left, right) => left.createdMs - right.createdMs)[0] ?? commands[0];
}

/** Settings of which a value is on its way: that is what is wanted of them. */
export function withOrdered(rows: readonly SettingRow[], commands: readonly Command[]): SettingRow[] {
  const open = commands.filter(({ kind, state }) => kind === 'write' && isOpenCommand(state));
  const ordered = Object.assign(
    {},
    ...open.toSorted((left, right) => left.createdMs - right.createdMs).map(({ content }) => content.values),
  ) as NonNullable<Command['content']['values']>;
  return rows.map((row) => {
    const value = row.state === 'pending' ? ordered[row.rule.name] : undefined;
    return value === undefined ? row : { ...row, desired: value };
  });
}
