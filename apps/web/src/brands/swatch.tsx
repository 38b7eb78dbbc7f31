import { type ReactNode, useCallback } from 'react';
import styles from './brands.module.css';

/** A colour with its number. */
export function Swatch({ colour }: { colour: string }): ReactNode {
  // The policy of the page takes no style from attributes.
  const paint = useCallback(
    (element: HTMLElement | null) => element?.style.setProperty('background', colour),
    [colour],
  );
  if (colour === '') return null;
  return (
    <span className={styles.swatch} translate="no">
      <i ref={paint} aria-hidden="true" />
      {colour}
    </span>
  );
}
