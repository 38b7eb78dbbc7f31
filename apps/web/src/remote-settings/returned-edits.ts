import { type Command, isOpenCommand } from '@sonnenwarte/contract/commands/command';
import type { SettingRow } from '@sonnenwarte/contract/remote-settings/setting';
import { useEffect, useRef } from 'react';
import type { Edits, OwnEdits } from './edits.ts';
import { isSameValue } from './values.ts';

/** What was written from a screen, by the command that took it along. */
type Sent = ReadonlyMap<string, Edits>;

interface Returned {
  /** Of commands that have ended: nothing more is awaited of them. */
  readonly ended: readonly string[];
  readonly edits: Edits;
}

/** What comes back of what was sent: values that did not come through, unless the device has them after all or they were edited anew. */
export function returnedOf(
  sent: Sent,
  commands: readonly Command[],
  rows: readonly SettingRow[],
  edits: Edits,
): Returned {
  const over = commands.filter(({ commandID, state }) => sent.has(commandID) && !isOpenCommand(state));
  const back = over
    .filter(({ state }) => state !== 'confirmed')
    .flatMap(({ commandID }) =>
      Object.entries(sent.get(commandID) ?? {}).flatMap(([name, edit]) => {
        const row = rows.find(({ rule }) => rule.name === name);
        if (row === undefined || edits[name] !== undefined || isSameValue(edit.value, row.reported)) return [];
        return [[name, { ...edit, basedOn: row.reported, returnedBy: commandID }] as const];
      }),
    );
  return { ended: over.map(({ commandID }) => commandID), edits: Object.fromEntries(back) };
}

/** Takes what was written from here, and gives it back as own edits where it did not come through. */
export function useReturnedEdits(
  commands: readonly Command[],
  rows: readonly SettingRow[],
  own: OwnEdits,
): (commandID: string, edits: Edits) => void {
  const sent = useRef(new Map<string, Edits>());
  useEffect(() => {
    if (sent.current.size === 0) return;
    const returned = returnedOf(sent.current, commands, rows, own.edits);
    for (const id of returned.ended) sent.current.delete(id);
    for (const [name, edit] of Object.entries(returned.edits)) own.set(name, edit);
  }, [commands, rows, own]);
  return (commandID, edits) => void sent.current.set(commandID, edits);
}
