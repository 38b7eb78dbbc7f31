import { type ReactNode, useState } from 'react';
import styles from './top-layer.module.css';

interface TopLayer {
  /** Where the widget's popover is put. */
  container: HTMLElement | undefined;
  onOpenChange: (open: boolean) => void;
  /** Stands beside the widget. */
  layer: ReactNode;
}

/**
 * A sheet of glass over the whole window for the popover of a widget. It stays within the dialog that the widget is in, as
 * all else is inert while that is open, and yet no dialog cuts it off.
 */
export function useTopLayer(): TopLayer {
  const [element, setElement] = useState<HTMLElement | null>(null);
  return {
    container: element ?? undefined,
    onOpenChange: (open) => void element?.togglePopover(open),
    layer: <div ref={setElement} popover="manual" className={styles.layer} />,
  };
}
