import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import styles from './chart-reading.module.css';
import { Swatch, Value } from './chart-table.tsx';
import type { TimeSeries } from './time-chart.tsx';

/** The lines of a chart, those that are drawn and those that are put away. */
export interface ChartLines {
  readonly series: readonly TimeSeries[];
  readonly hidden: ReadonlySet<string>;
  readonly disabled: boolean;
  readonly onToggle: (key: string) => void;
}

interface ChartReadingProps extends ChartLines {
  /** Place of the moment whose values are told. */
  told: number;
  moment: string;
  /** A moment was chosen; else the newest is told. */
  isReading: boolean;
  labelAt: (series: TimeSeries, index: number) => string;
}

/** Above a plot: the moment and the values of the lines that are drawn. A tap puts a line away. */
export function ChartReading(props: ChartReadingProps): ReactNode {
  const { series, hidden, disabled, onToggle, told, moment, isReading, labelAt } = props;
  return (
    <figcaption className={styles.reading}>
      <strong aria-hidden="true" data-reading={isReading || undefined}>
        {moment}
      </strong>
      {series
        .filter(({ key }) => !hidden.has(key))
        .map((each) => (
          <button
            key={each.key}
            type="button"
            data-line={each.key}
            aria-pressed
            onClick={() => onToggle(each.key)}
            disabled={disabled}
          >
            <Swatch series={each} />
            <span className={styles.label}>{labelAt(each, told)}</span>
            <span className={styles.value} aria-hidden="true">
              <Value series={each} index={told} />
            </span>
          </button>
        ))}
    </figcaption>
  );
}

/** Below a plot: the lines that can be drawn too. */
export function OtherLines({
  series,
  hidden,
  disabled,
  onToggle,
  children,
}: ChartLines & { children: ReactNode }): ReactNode {
  return (
    <div className={styles.others}>
      {series
        .filter(({ key }) => hidden.has(key))
        .map((each) => (
          <button
            key={each.key}
            type="button"
            data-line={each.key}
            aria-pressed={false}
            onClick={() => onToggle(each.key)}
            disabled={disabled}
          >
            <Swatch series={each} />
            <span className={styles.label}>{each.label}</span>
          </button>
        ))}
      {children}
    </div>
  );
}

/** The button of a line that is toggled goes to the other side of the plot, and the focus with it. */
export function useKeptLine(figure: RefObject<HTMLElement | null>, hidden: ReadonlySet<string>): (key: string) => void {
  const toggled = useRef<string>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the button has moved once other lines are hidden
  useEffect(() => {
    const key = toggled.current;
    toggled.current = undefined;
    if (key === undefined) return;
    figure.current?.querySelector<HTMLElement>(`[data-line="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
  }, [hidden.size]);
  return (key) => {
    toggled.current = key;
  };
}
