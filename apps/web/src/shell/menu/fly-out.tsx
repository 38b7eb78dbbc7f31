import { type FocusEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { usePressElsewhere } from '../../blocks/overlay/press-elsewhere.ts';
import styles from './fly-out.module.css';

interface FlyOutProps {
  label: string;
  icon: ReactNode;
  className: string;
  /** What is shown is among what flies out. */
  current: boolean;
  children: (hide: () => void) => ReactNode;
}

const EDGE_PX = 8;

/** An icon that opens a panel beside itself; it closes on Escape, on a click elsewhere, and when the focus leaves. */
export function FlyOut({ label, icon, className, current, children }: FlyOutProps) {
  const id = useId();
  const [opened, setOpened] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);

  usePressElsewhere(root, opened, () => setOpened(false));

  const place = (panel: HTMLElement | null) => {
    const box = opener.current?.getBoundingClientRect();
    if (!panel || !box) return;
    panel.style.left = `${box.right + EDGE_PX}px`;
    panel.style.top = `${Math.max(EDGE_PX, Math.min(box.top, innerHeight - panel.offsetHeight - EDGE_PX))}px`;
  };
  const hide = () => {
    if (root.current?.contains(document.activeElement)) opener.current?.focus();
    setOpened(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !opened) return;
    event.stopPropagation();
    hide();
  };
  const onBlur = (event: FocusEvent) => {
    if (event.relatedTarget instanceof Node && !root.current?.contains(event.relatedTarget)) setOpened(false);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only watches what its own controls let through
    <div ref={root} onKeyDown={onKeyDown} onBlur={onBlur}>
      <button
        ref={opener}
        type="button"
        className={className}
        title={label}
        data-icon
        data-current={current || undefined}
        aria-expanded={opened}
        aria-controls={opened ? id : undefined}
        onClick={() => setOpened(!opened)}
      >
        {icon}
        <span className="visually-hidden">{label}</span>
      </button>
      {opened && (
        <div ref={place} id={id} className={styles.panel} data-opened>
          <p className={styles.title}>{label}</p>
          {children(hide)}
        </div>
      )}
    </div>
  );
}
