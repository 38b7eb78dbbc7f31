import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import styles from './hint.module.css';

const WIDTH_PX = 300;
const EDGE_PX = 8;
/** Room that a definition of several lines takes. */
const LEAST_ABOVE_PX = 110;

interface HintProps {
  /** What the tooltip says. */
  text: string | undefined;
  /** Name of the button where its content is a mark only. */
  label?: string;
  className?: string;
  /** The thing explained also acts. */
  onClick?: () => void;
  children: ReactNode;
}

/** A word or mark that tells its definition on hover and on focus, above itself where there is room; Escape puts it away. Without text only the content. */
export function Hint({ text, label, className, onClick, children }: HintProps): ReactNode {
  const id = useId();
  const [at, setAt] = useState<CSSProperties>();
  const hide = () => setAt(undefined);
  const isShown = at !== undefined;
  useEffect(() => {
    if (!isShown) return;
    // What it explains has moved away from under it.
    const away = () => setAt(undefined);
    addEventListener('scroll', away, { capture: true, passive: true });
    return () => removeEventListener('scroll', away, { capture: true });
  }, [isShown]);
  const show = (event: { currentTarget: HTMLElement }) => {
    const box = event.currentTarget.getBoundingClientRect();
    const left = Math.max(EDGE_PX, Math.min(box.left, document.documentElement.clientWidth - WIDTH_PX - EDGE_PX));
    setAt(
      box.top > LEAST_ABOVE_PX
        ? { left, bottom: document.documentElement.clientHeight - box.top + EDGE_PX }
        : { left, top: box.bottom + EDGE_PX },
    );
  };
  if (text === undefined && onClick === undefined) return children;
  const inside = [onClick ? '' : styles.word, className].filter(Boolean).join(' ');
  if (text === undefined) {
    return (
      <button type="button" className={inside} onClick={onClick}>
        {children}
      </button>
    );
  }
  return (
    <>
      <button
        type="button"
        className={inside}
        aria-label={label}
        aria-describedby={id}
        onClick={onClick}
        onMouseEnter={show}
        onMouseLeave={hide}
        onFocus={show}
        onBlur={hide}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === 'Escape') hide();
        }}
      >
        {children}
      </button>
      <span id={id} role="tooltip" className={styles.tip} hidden={at === undefined} style={at}>
        {text}
      </span>
    </>
  );
}
