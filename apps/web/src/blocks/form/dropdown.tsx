import {
  type ButtonHTMLAttributes,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useRef,
  useState,
} from 'react';
import { usePressElsewhere } from '../overlay/press-elsewhere.ts';
import styles from './dropdown.module.css';

interface DropdownProps {
  /** Name of the button, where its content has no text. */
  label?: string;
  /** Content of the button. */
  button: ReactNode;
  className: string;
  /** What ties the button to a label and texts around it. */
  control?: ButtonHTMLAttributes<HTMLButtonElement>;
  /** Opens upwards, from the button's start. */
  above?: boolean;
  /** Opens from the button's start. */
  fromStart?: boolean;
  children: (hide: () => void) => ReactNode;
}

const EDGE_PX = 8;

/** Shifts a panel that would stand out of the window to either side, as long as it is open: it and its button move with what is around them. */
function keepInWindow(panel: HTMLElement | null): (() => void) | undefined {
  if (!panel) return undefined;
  let frame = 0;
  const place = () => {
    // As it stands: a panel that was hidden meanwhile, while its code came, is looked after anew.
    const shift = Number.parseFloat(panel.style.translate) || 0;
    const { left, right } = panel.getBoundingClientRect();
    const beyond = Math.max(0, right - shift - (document.documentElement.clientWidth - EDGE_PX));
    const wanted = left - shift < EDGE_PX || beyond > 0 ? Math.max(EDGE_PX - left + shift, -beyond) : 0;
    if (Math.abs(wanted - shift) >= 1) panel.style.translate = `${wanted}px 0`;
    frame = requestAnimationFrame(place);
  };
  place();
  return () => cancelAnimationFrame(frame);
}

/** A panel that a button opens beneath itself; it closes on Escape, on a click elsewhere, and when the focus leaves. */
export function Dropdown({
  label,
  button,
  className,
  control,
  above = false,
  fromStart = false,
  children,
}: DropdownProps) {
  const id = useId();
  const [opened, setOpened] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);

  usePressElsewhere(root, opened, () => setOpened(false));

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !opened) return;
    event.stopPropagation();
    // Else the browser closes the dialog around it as well.
    event.preventDefault();
    setOpened(false);
    opener.current?.focus();
  };
  const hide = () => {
    if (root.current?.contains(document.activeElement)) opener.current?.focus();
    setOpened(false);
  };
  const onBlur = (event: FocusEvent) => {
    if (event.relatedTarget instanceof Node && !root.current?.contains(event.relatedTarget)) setOpened(false);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only watches what its own controls let through
    <div ref={root} className={styles.root} onKeyDown={onKeyDown} onBlur={onBlur}>
      <button
        {...control}
        ref={opener}
        type="button"
        className={className}
        aria-label={label}
        aria-describedby={
          [control?.['aria-describedby'], control && `${id}-shown`].filter(Boolean).join(' ') || undefined
        }
        aria-expanded={opened}
        aria-controls={opened ? id : undefined}
        onClick={() => setOpened(!opened)}
      >
        {control ? (
          // The label around it names the button, and would hide what is chosen.
          <span id={`${id}-shown`} className={styles.shown}>
            {button}
          </span>
        ) : (
          button
        )}
      </button>
      {opened && (
        <div
          ref={keepInWindow}
          id={id}
          className={styles.panel}
          data-opened
          data-above={above || undefined}
          data-start={fromStart || undefined}
        >
          {children(hide)}
        </div>
      )}
    </div>
  );
}
