import type { ReactNode } from 'react';
import { addressOfScreen, isPlainClick, type ScreenTarget } from '../show/screen-link.tsx';
import styles from './row-opener.module.css';

interface RowOpenerProps {
  /** The screen that the row leads to; without it the row's first action opens in place. */
  to: ScreenTarget | undefined;
  open: () => void;
  /** A card is pressed anywhere. */
  wide?: boolean;
  children: ReactNode;
}

/** The name of a row, by which the keyboard opens what a click on the row does. */
export function RowOpener({ to, open, wide = false, children }: RowOpenerProps): ReactNode {
  const shared = { className: styles.open, 'data-wide': wide || undefined, 'data-row-opener': true };
  if (to === undefined)
    return (
      <button type="button" {...shared} aria-haspopup="dialog" onClick={open}>
        {children}
      </button>
    );
  return (
    <a
      {...shared}
      href={addressOfScreen(to)}
      onClick={(event) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        open();
      }}
    >
      {children}
    </a>
  );
}
