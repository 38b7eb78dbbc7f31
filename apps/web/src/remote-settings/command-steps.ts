import { type Command, isOpenCommand } from '@sonnenwarte/contract/commands/command';

export const stepNames = ['queued', 'sent', 'acknowledged', 'confirmed'] as const;
export type StepName = (typeof stepNames)[number];

export interface Step {
  readonly name: StepName;
  readonly state: 'done' | 'now' | 'todo' | 'bad';
  readonly atMs: number | null;
}

/** How often a command is sent at most: once, and twice more with the same number. */
export const MOST_TRIES = 3;

/** The four steps of a command: what was done when, what is awaited, or where it ended. A read ends with its answer. */
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
  return stepNames.map((name, at) => {
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
