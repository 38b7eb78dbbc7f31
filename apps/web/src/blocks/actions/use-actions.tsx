import { writes } from '@sonnenwarte/contract/endpoint';
import type { TFunction } from 'i18next';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '../overlay/action-menu.tsx';
import type { Action, ActionTable } from './actions.tsx';
import { useHiddenReason, usePermit } from './can.tsx';

/** The actions of a kind of record as the signed-in account has them. */
export interface Actions<Row> {
  /** Those of a record, in a menu, without those that stand elsewhere. */
  of: (row: Row, but?: readonly string[]) => readonly RowAction[];
  /** Those of a record by name, whoever is signed in; for buttons, which ask for the code themselves. */
  byName: (row: Row) => readonly { name: string; action: Action<Row>; label: string; begin: () => void }[];
  /** What a click on the record's row does: its first action, where it can be done. */
  opener: (row: Row) => (() => void) | undefined;
  /** Whether there is more to do than to look, so that rows have a menu. */
  withMenu: boolean;
  /** The dialog that is open. */
  dialogs: ReactNode;
}

const labelOf = <Row,>(table: ActionTable<Row>, name: string, row: Row, t: TFunction): string =>
  table.actions[name]?.label?.(row, t) ?? t(`${table.texts}.action.${name}` as never);

/** What the server says of a record; all is left to those who hold the code where it says nothing. */
function isAllowed<Row>({ can }: Action<Row>, name: string, row: Row): boolean {
  const answers = (row as { can?: Readonly<Record<string, boolean>> } | undefined)?.can;
  return answers?.[can ?? name] ?? true;
}

/** The actions of `table` with the dialogs in which they are done; `onDone` is told the name of one that has succeeded, once its dialog is closed. */
export function useActions<Row>(table: ActionTable<Row> | undefined, onDone?: (name: string) => void): Actions<Row> {
  const { t } = useTranslation();
  const permit = usePermit();
  const hidden = useHiddenReason();
  const [chosen, setChosen] = useState<{ name: string; row: Row }>();
  const named = Object.entries(table?.actions ?? {});
  const done = useRef<string>(undefined);
  useEffect(() => {
    if (chosen !== undefined || done.current === undefined) return;
    const name = done.current;
    done.current = undefined;
    onDone?.(name);
  }, [chosen, onDone]);

  const begin = (name: string, row: Row) => {
    const action = table?.actions[name];
    const of = action && permit(action.of);
    if (!of) return;
    if (action.Dialog) return setChosen({ name, row });
    action.send?.(row, of, t).then(
      () => onDone?.(name),
      // The client has said it.
      () => undefined,
    );
  };

  const offered = (table: ActionTable<Row>, name: string, action: Action<Row>, row: Row): RowAction | undefined => {
    if (action.when?.(row) === false) return undefined;
    const allowed = isAllowed(action, name, row);
    const reason = permit(action.of) ? (allowed ? undefined : table.whyNot?.(row, t)) : hidden(action.of);
    if (reason === undefined && !(allowed && permit(action.of))) return undefined;
    const { icon: Icon, danger = false } = action;
    return {
      label: labelOf(table, name, row, t),
      icon: Icon && <Icon aria-hidden="true" />,
      danger,
      disabledReason: reason,
      onSelect: () => begin(name, row),
    };
  };

  const dialog = (): ReactNode => {
    const action = chosen && table?.actions[chosen.name];
    const of = action && permit(action.of);
    if (!table || !chosen || !of || !action.Dialog) return null;
    const { name, row } = chosen;
    return (
      <Suspense>
        <action.Dialog
          row={row}
          of={of}
          onClose={() => setChosen(undefined)}
          onDone={() => {
            done.current = name;
          }}
          words={{
            label: labelOf(table, name, row, t),
            name: table.nameOf(row),
            question: `${table.texts}.ask.${name}`,
          }}
        />
      </Suspense>
    );
  };

  return {
    of: (row, but = []) =>
      table
        ? named.flatMap(([name, action]) => (but.includes(name) ? [] : (offered(table, name, action, row) ?? [])))
        : [],
    byName: (row) =>
      named
        .filter(([name, action]) => action.when?.(row) !== false && isAllowed(action, name, row))
        .map(([name, action]) => ({
          name,
          action,
          label: table ? labelOf(table, name, row, t) : '',
          begin: () => begin(name, row),
        })),
    opener: (row) => {
      const opening = named.filter(([, { opensRow }], place) => place === 0 || opensRow);
      const action = opening.map(([name, each]) => table && offered(table, name, each, row)).find((each) => each);
      return action && action.disabledReason === undefined && !action.danger ? action.onSelect : undefined;
    },
    withMenu: named.some(([, { of }]) => writes(of)),
    dialogs: dialog(),
  };
}
