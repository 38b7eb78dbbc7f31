import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import styles from './action-menu.module.css';

const EDGE_PX = 8;
const GAP_PX = 4;

/** One action of a menu. */
export interface RowAction {
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
  danger?: boolean;
  /** Why it cannot be done now; the entry then stands there, and says so. */
  disabledReason?: string | undefined;
}

interface ActionMenuProps {
  /** Name of the button for screen readers: "Actions for Hof Brandner"; without it, what it shows. */
  label?: string;
  button: ReactNode;
  className: string;
  actions: readonly RowAction[];
  /** `-1` where the button is reached from elsewhere. */
  tabIndex?: number;
}

const items = (menu: HTMLElement | null): HTMLElement[] => [
  ...(menu?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? []),
];

/** A button that opens a menu above everything else, so that no scrolling frame cuts it off. */
export function ActionMenu({ label, button, className, actions, tabIndex }: ActionMenuProps): ReactNode {
  const id = useId();
  const [opened, setOpened] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  /** A press on the button of an open menu has already closed it when the click comes. */
  const pressedOpen = useRef(false);

  useLayoutEffect(() => {
    const panel = menu.current;
    const box = opener.current?.getBoundingClientRect();
    if (!opened || !panel || !box) return;
    if (!panel.matches(':popover-open')) panel.showPopover();
    const { offsetWidth: width, offsetHeight: height } = panel;
    const below = box.bottom + GAP_PX;
    const top = below + height > innerHeight - EDGE_PX ? Math.max(EDGE_PX, box.top - GAP_PX - height) : below;
    panel.style.left = `${Math.max(EDGE_PX, Math.min(box.right - width, innerWidth - width - EDGE_PX))}px`;
    panel.style.top = `${top}px`;
    items(panel)[0]?.focus();
    const close = () => setOpened(false);
    addEventListener('scroll', close, true);
    addEventListener('resize', close);
    return () => {
      removeEventListener('scroll', close, true);
      removeEventListener('resize', close);
    };
  }, [opened]);

  if (actions.length === 0) return null;

  const hide = () => {
    setOpened(false);
    opener.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items(menu.current);
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = {
      ArrowDown: (at + 1) % all.length,
      ArrowUp: (at - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      all[to]?.focus();
    }
    if (event.key === 'Tab') hide();
    if (event.key === 'Escape') {
      event.preventDefault();
      hide();
    }
    event.stopPropagation();
  };

  return (
    <>
      <button
        ref={opener}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={opened}
        aria-controls={opened ? id : undefined}
        tabIndex={tabIndex}
        onPointerDown={() => {
          pressedOpen.current = opened;
        }}
        onClick={(event) => {
          event.stopPropagation();
          setOpened(!opened && !pressedOpen.current);
          pressedOpen.current = false;
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' && !opened) {
            event.preventDefault();
            event.stopPropagation();
            setOpened(true);
          }
        }}
      >
        {button}
      </button>
      {opened && (
        <div
          ref={menu}
          id={id}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          popover="auto"
          className={styles.menu}
          onToggle={(event) => {
            if (event.newState === 'closed') setOpened(false);
          }}
          onKeyDown={onKeyDown}
          onClick={(event) => event.stopPropagation()}
        >
          {actions.map((action, index) => (
            <button
              key={action.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={styles.item}
              data-danger={action.danger || undefined}
              aria-disabled={action.disabledReason !== undefined}
              aria-describedby={action.disabledReason === undefined ? undefined : `${id}-${index}`}
              onClick={() => {
                if (action.disabledReason !== undefined) return;
                hide();
                action.onSelect();
              }}
            >
              {action.icon}
              <span>
                {action.label}
                {action.disabledReason !== undefined && (
                  <span id={`${id}-${index}`} className={styles.reason}>
                    {action.disabledReason}
                  </span>
                )}
              </span>
            </button>
          ))}
        </div>
      )}
    </>
  );
}
