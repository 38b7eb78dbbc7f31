import type { ReactNode } from 'react';
import { DraftMark } from '../form/draft-mark.tsx';
import { Button } from '../show/button.tsx';
import { useIsPhone } from '../show/use-is-phone.ts';
import type { ActionTable } from './actions.tsx';
import { Can } from './can.tsx';
import { useActions } from './use-actions.tsx';

interface ActionButtonsProps<Row> {
  table: ActionTable<Row>;
  row: Row;
  look?: 'default' | 'filled';
  small?: boolean;
  /** Several records stand side by side: the button says to a screen reader which it acts upon. */
  named?: boolean;
  /** On a phone the icon alone. */
  brief?: boolean;
  /** The only ones that are buttons here. */
  only?: readonly string[];
  onDone?: (name: string) => void;
}

/** The actions of a record as buttons: at the title of a screen, in a row without a menu, for chosen rows. */
export function ActionButtons<Row>(props: ActionButtonsProps<Row>): ReactNode {
  const { table, row, look = 'default', small = false, named = false, brief = false, only, onDone } = props;
  const phone = useIsPhone();
  const actions = useActions(table, onDone);
  const shown = actions.byName(row).filter(({ name }) => only?.includes(name) ?? true);
  return (
    <>
      {shown.map(({ name, action: { of, icon: Icon }, label, begin }) => (
        <Can key={name} of={of}>
          <Button
            look={look}
            small={small}
            onClick={begin}
            {...(named && { 'aria-label': `${label}: ${table.nameOf(row)}` })}
          >
            {Icon && <Icon size={16} aria-hidden="true" />}
            {brief && phone && Icon ? <span className="visually-hidden">{label}</span> : label}
            <DraftMark path={of.path} />
          </Button>
        </Can>
      ))}
      {actions.dialogs}
    </>
  );
}
