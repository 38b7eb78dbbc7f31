import type { Figures } from '@sonnenwarte/contract/sites/site';
import { calendar } from '@sonnenwarte/contract/sites/site-endpoints';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../blocks/form/segmented.tsx';
import { isNewest, stepped, type TimeRangeValue } from '../blocks/form/time-range.tsx';
import { Button, IconButton } from '../blocks/show/button.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import { read } from '../client/queries.ts';
import { type CalendarDay, calendarParts, localDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../live/use-now.ts';
import styles from './calendar.module.css';
import { CalendarDayCard, CalendarExtremes } from './calendar-day-card.tsx';
import { calendarWithToday } from './calendar-days.ts';
import { CalendarMonth } from './calendar-month.tsx';
import { type CalendarFigure, calendarFigures, coloursOf, figureValue, limitsOf } from './calendar-steps.ts';
import { useCalendarTexts } from './calendar-texts.ts';
import { CalendarYear } from './calendar-year.tsx';

const MINUTE_MS = 60_000;
const REFRESH_MS = 5 * MINUTE_MS;

interface SiteCalendarPanelProps {
  stationID: string;
  timeZone: string;
  /** What the bars beside it show; the calendar shows the month or the year of it. */
  range: TimeRangeValue;
  onRange: (range: TimeRangeValue) => void;
  onOpenDay: (day: CalendarDay) => void;
  /** Today's figures, as fresh as the powers. */
  newest: Figures | undefined;
}

/** Month or year as days: what each gave, how independent it was, what it was worth. A day opens its curves. */
export function SiteCalendarPanel({
  stationID,
  timeZone,
  range,
  onRange,
  onOpenDay,
  newest,
}: SiteCalendarPanelProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const phone = useIsPhone();
  const today = localDay(useNow(MINUTE_MS), timeZone);
  const [figure, setFigure] = useState<CalendarFigure>('yield');
  const [chosen, setChosen] = useState<CalendarDay>();
  const span = range.span === 'year' || range.span === 'total' ? 'year' : 'month';
  const shown: TimeRangeValue = { span, day: range.day };
  const { year } = calendarParts(range.day);
  const query = useQuery({
    ...read(calendar, { stationID, year }),
    refetchInterval: REFRESH_MS,
  });
  const answer = useMemo(() => query.data && calendarWithToday(query.data, today, newest), [query.data, today, newest]);
  const days = useMemo(() => new Map(answer?.days.map((each) => [each.day, each])), [answer]);
  const limits = useMemo(
    () => limitsOf(figure, answer?.days.flatMap((each) => figureValue(figure, each) ?? []) ?? []),
    [figure, answer],
  );
  const texts = useCalendarTexts(figure, answer, phone);
  const month = range.day.slice(0, 7);
  const sum = answer?.months.find((each) => each.month === month);
  const open = (day: CalendarDay): void => {
    if (phone) setChosen(day);
    else onOpenDay(day);
  };
  const card = chosen?.startsWith(month) ? days.get(chosen) : undefined;

  return (
    <Panel
      title={t('sites.section.calendar')}
      actions={
        <Segmented
          label={t('sites.calendar.figure')}
          value={figure}
          options={calendarFigures.map((value) => ({ value, label: t(`sites.calendar.${value}`) }))}
          onChange={setFigure}
        />
      }
    >
      <div className={styles.controls}>
        <IconButton aria-label={t('common.earlier')} onClick={() => onRange(stepped(shown, -1, today))}>
          <IconChevronLeft size={18} aria-hidden="true" />
        </IconButton>
        <p className={styles.span} aria-live="polite">
          <strong>{span === 'year' ? String(year) : format.month(range.day)}</strong>
          {span === 'month' && sum && <span>{texts.full(sum)}</span>}
        </p>
        <IconButton
          aria-label={t('common.later')}
          disabled={isNewest(shown, today)}
          onClick={() => onRange(stepped(shown, 1, today))}
        >
          <IconChevronRight size={18} aria-hidden="true" />
        </IconButton>
        <Button
          small
          look="plain"
          onClick={() => onRange({ span: span === 'year' ? 'month' : 'year', day: range.day })}
        >
          {span === 'year' ? t('sites.calendar.showMonth') : t('sites.calendar.showYear')}
        </Button>
      </div>
      <ReadState query={query}>
        <Skeleton height="20rem" />
      </ReadState>
      {answer && (
        <div className={styles.fade}>
          {span === 'month' ? (
            <CalendarMonth
              month={month}
              today={today}
              firstDay={answer.firstDay}
              days={days}
              figure={figure}
              limits={limits}
              texts={texts}
              chosen={chosen}
              onOpen={open}
              onMonth={(day) => onRange({ span: 'month', day })}
            />
          ) : (
            <CalendarYear
              year={year}
              today={today}
              days={days}
              months={answer.months}
              figure={figure}
              limits={limits}
              texts={texts}
              onOpen={(day) => onRange({ span: 'month', day })}
            />
          )}
          <ul className={styles.legend} aria-hidden="true">
            {texts.unit !== '' && <li>{texts.unit}</li>}
            {[0, 1, 2, 3, 4].map((step) => (
              <li key={step}>
                <i style={coloursOf(figure, step)} />
                {texts.step(step, limits)}
              </li>
            ))}
          </ul>
          {span === 'month' && !phone && (
            <CalendarExtremes
              month={month}
              today={today}
              days={days}
              figure={figure}
              texts={texts}
              onOpen={onOpenDay}
            />
          )}
          {span === 'month' && phone && card && (
            <CalendarDayCard day={card} currency={answer.currency} onOpen={() => onOpenDay(card.day)} />
          )}
        </div>
      )}
    </Panel>
  );
}
