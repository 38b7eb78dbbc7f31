import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import styles from './dropdown.module.css';

interface DropdownProps {
  /** Name of the button, where its content has no text. */
  label?: string;
  /** Content of the button. */
  button: ReactNode;
  className: string;
  /** Opens upwards, from the button's start. */
  above?: boolean;
  children: (hide: () => void) => ReactNode;
}

/** A panel that a button opens beneath itself; it closes on Escape, on a click elsewhere, and when the focus leaves. */
export function Dropdown({ label, button, className, above = false, children }: DropdownProps) {
  const id = useId();
  const [opened, setOpened] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!opened) return;
    const onPointerDown = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpened(false);
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [opened]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !opened) return;
    event.stopPropagation();
    setOpened(false);
    opener.current?.focus();
  };
  const onBlur = (event: FocusEvent) => {
    if (event.relatedTarget instanceof Node && !root.current?.contains(event.relatedTarget)) setOpened(false);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only watches what its own controls let through
    <div ref={root} className={styles.root} onKeyDown={onKeyDown} onBlur={onBlur}>
      <button
        ref={opener}
        type="button"
        className={className}
        aria-label={label}
        aria-expanded={opened}
        aria-controls={opened ? id : undefined}
        onClick={() => setOpened(!opened)}
      >
        {button}
      </button>
      {opened && (
        <div id={id} className={styles.panel} data-above={above || undefined}>
          {children(() => setOpened(false))}
        </div>
      )}
    </div>
  );
}
