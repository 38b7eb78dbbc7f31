import type { ReactNode } from 'react';
import { RowActions } from '../list/row-actions.tsx';
import type { RowAction } from '../overlay/action-menu.tsx';
import type { ActionTable } from './actions.tsx';
import { useActions } from './use-actions.tsx';

interface ActionsMenuProps<Row> {
  table: ActionTable<Row>;
  row: Row;
  /** Actions that stand beside it as buttons. */
  but?: readonly string[];
  /** What else stands in the menu, before them. */
  first?: readonly RowAction[];
}

/** What is rarely done with a record, behind a "⋯" at the title of its screen; nothing where nothing can be done. */
export function ActionsMenu<Row>({ table, row, but, first = [] }: ActionsMenuProps<Row>): ReactNode {
  const actions = useActions(table);
  const offered = [...first, ...actions.of(row, but)];
  return (
    <>
      {offered.length > 0 && <RowActions name={table.nameOf(row)} actions={offered} />}
      {actions.dialogs}
    </>
  );
}
