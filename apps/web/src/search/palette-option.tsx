import { StatusTag } from '../blocks/show/status-tag.tsx';
import styles from './palette.module.css';
import type { PaletteRow } from './rows.ts';
import { marked } from './wish.ts';

interface PaletteOptionProps {
  id: string;
  row: PaletteRow;
  /** What is marked in its name. */
  wanted: string;
  current: boolean;
  onPoint: () => void;
  onTake: (behind: boolean) => void;
}

/** One row: what it is, why it matters, its state and its value of now. */
export function PaletteOption({ id, row, wanted, current, onPoint, onTake }: PaletteOptionProps) {
  const { icon: Icon, name, sort, line, state, value } = row;
  const { before, match, after } = marked(name, wanted);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys of its list
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={current}
      className={styles.option}
      onMouseMove={current ? undefined : onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => onTake(event.ctrlKey || event.metaKey)}
    >
      <Icon size={20} stroke={1.7} aria-hidden="true" />
      <span className={styles.what}>
        <span className={styles.name}>
          <strong>
            {before}
            {match !== '' && <mark>{match}</mark>}
            {after}
          </strong>
          {sort !== undefined && ` · ${sort}`}
        </span>{' '}
        {line !== '' && <span className={styles.line}>{line}</span>}
      </span>{' '}
      {state && <StatusTag state={state} />}{' '}
      {value && (
        <span className={styles.value}>
          {value.label !== '' && <span className={styles.valueLabel}>{value.label}</span>} {value.text}
        </span>
      )}
    </div>
  );
}
