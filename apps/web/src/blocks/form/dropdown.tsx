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

/** Shifts a panel that would stand out of the window to either side, and again when it or what is around it changes its size. */
function keepInWindow(panel: HTMLElement | null): (() => void) | undefined {
  if (!panel) return undefined;
  const place = () => {
    panel.style.translate = '';
    const { left, right } = panel.getBoundingClientRect();
    const beyond = Math.max(0, right - (document.documentElement.clientWidth - EDGE_PX));
    if (left < EDGE_PX || beyond > 0) panel.style.translate = `${Math.max(EDGE_PX - left, -beyond)}px 0`;
  };
  place();
  const observer = new ResizeObserver(place);
  // What stands beside it or around it moves it without changing its own size.
  for (let around: Element | null = panel; around; around = around.parentElement)
    for (const each of around.parentElement?.children ?? [around]) observer.observe(each);
  return () => observer.disconnect();
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
