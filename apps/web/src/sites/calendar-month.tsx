import type { CalendarDayFigures } from '@sonnenwarte/contract/sites/site-calendar';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addDays, addMonths, type CalendarDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './calendar.module.css';
import { extremesOf, WEEK, weeksOf } from './calendar-days.ts';
import { type CalendarFigure, coloursOf, figureValue, stepOf } from './calendar-steps.ts';
import type { CalendarTexts } from './calendar-texts.ts';

interface CalendarMonthProps {
  month: string;
  today: CalendarDay;
  /** The first that was ever recorded. */
  firstDay: CalendarDay | null;
  days: ReadonlyMap<CalendarDay, CalendarDayFigures>;
  figure: CalendarFigure;
  limits: readonly number[];
  texts: CalendarTexts;
  chosen: CalendarDay | undefined;
  onOpen: (day: CalendarDay) => void;
  /** Another month, at a day of it. */
  onMonth: (day: CalendarDay) => void;
}

/** The days of a month, a week to a row. Arrows go by day and week, Page by month. */
export function CalendarMonth(props: CalendarMonthProps): ReactNode {
  const { month, today, firstDay, days, figure, limits, texts, chosen, onOpen, onMonth } = props;
  const format = useFormat();
  const table = useRef<HTMLTableElement>(null);
  const [focused, setFocused] = useState<CalendarDay>();
  const goes = useRef(false);
  const weeks = weeksOf(month);
  const { best } = extremesOf(month, today, days, figure);
  const isThere = (day: CalendarDay): boolean => day <= today && (firstDay === null || day >= firstDay);
  const inMonth = focused?.startsWith(month) ? focused : undefined;
  const lastThere = weeks.flat().findLast((day) => day !== undefined && isThere(day));
  const reachable = inMonth ?? chosen ?? lastThere;

  useEffect(() => {
    if (!goes.current || focused === undefined) return;
    const cell = table.current?.querySelector<HTMLElement>(`[data-day="${focused}"]`);
    if (!cell) return;
    goes.current = false;
    cell.focus();
  });

  const step = (event: KeyboardEvent): void => {
    const from = inMonth ?? reachable;
    if (from === undefined) return;
    const moves: Readonly<Record<string, () => CalendarDay>> = {
      ArrowLeft: () => addDays(from, -1),
      ArrowRight: () => addDays(from, 1),
      ArrowUp: () => addDays(from, -WEEK),
      ArrowDown: () => addDays(from, WEEK),
      PageUp: () => addMonths(from, -1),
      PageDown: () => addMonths(from, 1),
    };
    const target = moves[event.key]?.();
    if (target === undefined) return;
    event.preventDefault();
    const within = target > today ? today : target;
    goes.current = true;
    setFocused(within);
    if (!within.startsWith(month)) onMonth(within);
  };

  return (
    <table ref={table} className={styles.month} onKeyDown={step}>
      <caption className="visually-hidden">{format.month(`${month}-01`)}</caption>
      <thead>
        <tr>
          {Array.from({ length: WEEK }, (_, place) => {
            // Any Monday and the days after it.
            const day = addDays('2024-01-01', place);
            return (
              <th key={day} scope="col">
                {format.weekday(day)}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week, index) => (
          <tr key={week.find((day) => day !== undefined) ?? index}>
            {week.map((day, place) =>
              day === undefined ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: places of a week without a day
                <td key={place} />
              ) : (
                <td key={day}>
                  {isThere(day) ? (
                    <DayCell
                      day={day}
                      shown={days.get(day)}
                      figure={figure}
                      limits={limits}
                      texts={texts}
                      isBest={best?.day === day}
                      isToday={day === today}
                      isChosen={day === chosen}
                      isReachable={day === reachable}
                      onFocus={setFocused}
                      onOpen={onOpen}
                    />
                  ) : (
                    <span className={styles.day} data-none>
                      <small>{Number(day.slice(8))}</small>
                    </span>
                  )}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const qualityKeys = {
  yield: 'generationWh',
  autarky: 'selfSufficiencyPercent',
  money: 'money',
} as const satisfies Record<CalendarFigure, keyof CalendarDayFigures['qualities']>;

interface DayCellProps extends Pick<CalendarMonthProps, 'figure' | 'limits' | 'texts' | 'onOpen'> {
  day: CalendarDay;
  shown: CalendarDayFigures | undefined;
  isBest: boolean;
  isToday: boolean;
  isChosen: boolean;
  isReachable: boolean;
  onFocus: (day: CalendarDay) => void;
}

function DayCell(props: DayCellProps): ReactNode {
  const { day, shown, figure, limits, texts, isBest, isToday, isChosen, isReachable, onFocus, onOpen } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const value = shown === undefined ? null : figureValue(figure, shown);
  const quality = value === null ? 'measured' : (shown?.qualities[qualityKeys[figure]] ?? 'measured');
  const words = [
    format.dayLong(day),
    shown === undefined || value === null ? t('charts.notMeasured') : texts.full(shown),
    quality === 'measured' ? '' : t(`states.${quality}`),
    isBest ? t('sites.calendar.best') : '',
  ].filter((word) => word !== '');
  return (
    <button
      type="button"
      className={styles.day}
      data-day={day}
      data-gap={value === null || undefined}
      data-today={isToday || undefined}
      data-chosen={isChosen || undefined}
      tabIndex={isReachable ? 0 : -1}
      aria-current={isToday ? 'date' : undefined}
      style={value === null ? undefined : coloursOf(figure, stepOf(value, limits))}
      onFocus={() => onFocus(day)}
      onClick={() => onOpen(day)}
    >
      <span className="visually-hidden">{words.join(', ')}</span>
      <small aria-hidden="true">
        {Number(day.slice(8))}
        {isBest && ' ★'}
        {quality !== 'measured' && (quality === 'corrected' ? ' ✎' : ' ≈')}
      </small>
      <b aria-hidden="true">{shown === undefined ? '' : texts.cell(shown)}</b>
    </button>
  );
}
