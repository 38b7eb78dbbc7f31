import { type CSSProperties, type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import styles from './hint.module.css';

const WIDTH_PX = 300;
const EDGE_PX = 8;

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

/** A word or mark that tells its definition on hover and on focus; Escape puts it away. Without text only the content. */
export function Hint({ text, label, className, onClick, children }: HintProps): ReactNode {
  const id = useId();
  const [at, setAt] = useState<CSSProperties>();
  const hide = () => setAt(undefined);
  const show = (event: { currentTarget: HTMLElement }) => {
    const box = event.currentTarget.getBoundingClientRect();
    const left = Math.max(EDGE_PX, Math.min(box.left, document.documentElement.clientWidth - WIDTH_PX - EDGE_PX));
    setAt(
      box.bottom > innerHeight * 0.75
        ? { left, bottom: innerHeight - box.top + EDGE_PX }
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
