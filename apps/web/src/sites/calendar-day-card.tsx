import type { CalendarDayFigures } from '@sonnenwarte/contract/sites/site-calendar';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/show/button.tsx';
import { QualityMark } from '../blocks/show/key-figure.tsx';
import type { CalendarDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './calendar.module.css';
import { extremesOf } from './calendar-days.ts';
import type { CalendarFigure } from './calendar-steps.ts';
import type { CalendarTexts } from './calendar-texts.ts';

interface CalendarDayCardProps {
  day: CalendarDayFigures;
  currency: string;
  onOpen: () => void;
}

/** What is known of the day that was touched, and the way to its curves. */
export function CalendarDayCard({ day, currency, onOpen }: CalendarDayCardProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { qualities } = day;
  return (
    <section className={styles.card} aria-live="polite">
      <h3>{format.dayLong(day.day)}</h3>
      <dl>
        <div>
          <dt>{t('sites.figure.generationWh')}</dt>
          <dd>
            {format.energy(day.generationWh)}
            <QualityMark quality={qualities.generationWh} />
          </dd>
        </div>
        <div>
          <dt>{t('sites.figure.consumptionWh')}</dt>
          <dd>
            {format.energy(day.consumptionWh)}
            <QualityMark quality={qualities.consumptionWh} />
          </dd>
        </div>
        <div>
          <dt>{t('sites.figure.selfSufficiencyPercent')}</dt>
          <dd>
            {format.percent(day.selfSufficiencyPercent)}
            <QualityMark quality={qualities.selfSufficiencyPercent} />
          </dd>
        </div>
        <div>
          <dt>{t('sites.calendar.money')}</dt>
          <dd>
            {format.money(day.money, currency)}
            <QualityMark quality={qualities.money} />
          </dd>
        </div>
      </dl>
      <Button look="filled" wide onClick={onOpen}>
        {t('sites.calendar.openDay')}
      </Button>
    </section>
  );
}

interface CalendarExtremesProps {
  month: string;
  today: CalendarDay;
  days: ReadonlyMap<CalendarDay, CalendarDayFigures>;
  figure: CalendarFigure;
  texts: CalendarTexts;
  onOpen: (day: CalendarDay) => void;
}

/** The best and the weakest day of a month; both open. */
export function CalendarExtremes({ month, today, days, figure, texts, onOpen }: CalendarExtremesProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { best, weakest } = extremesOf(month, today, days, figure);
  if (best === undefined || weakest === undefined) return null;
  return (
    <p className={styles.extremes}>
      {(
        [
          ['bestDay', best],
          ['weakestDay', weakest],
        ] as const
      ).map(([which, day]) => (
        <span key={which}>
          {t(`sites.calendar.${which}`)}:{' '}
          <Button small look="plain" onClick={() => onOpen(day.day)}>
            {format.dayLong(day.day)}
          </Button>{' '}
          {texts.full(day)}
        </span>
      ))}
    </p>
  );
}
