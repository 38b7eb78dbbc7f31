import { alarmFactsOf } from '@sonnenwarte/contract/incidents/alarm-facts';
import type { IncidentDetail } from '@sonnenwarte/contract/incidents/incidents';
import { LEVEL } from '@sonnenwarte/contract/levels';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { KeyFigure, KeyFigures } from '../blocks/show/key-figure.tsx';
import { useAlarmText } from '../format/alarm-text.ts';
import { localDay } from '../format/dates.ts';
import { useMoments } from '../format/moments.ts';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../live/use-now.ts';
import { useGlobalState } from '../state/global-state.ts';
import styles from './incident.module.css';

const MINUTE_MS = 60_000;

/** What it has cost, what it will cost, how often it came, and what comes next. */
export function LossFigures({ data }: { data: IncidentDetail }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { moment, duration } = useMoments();
  const nowMs = useNow(MINUTE_MS);
  const { incident, ifNothing, spells } = data;
  const { lostWh, lostMoney, currency, sinceMs, untilMs, times, ianaTimezone } = incident;
  const lost = format.energyQuantity(lostWh);
  return (
    <KeyFigures>
      <KeyFigure
        label={t('incidents.figure.lost', { day: format.day(localDay(sinceMs, ianaTimezone)) })}
        hint={t('incidents.figure.openMeaning')}
        {...lost}
        note={
          lostWh === null
            ? t('incidents.unknown')
            : lostMoney === null
              ? t('incidents.noMoney')
              : format.money(lostMoney, currency)
        }
        tone="bad"
      />
      {ifNothing ? (
        <Yearly {...ifNothing} currency={currency} />
      ) : (
        <KeyFigure
          label={t('incidents.figure.duration')}
          value={duration((untilMs ?? nowMs) - sinceMs)}
          note={
            untilMs === null
              ? t('incidents.figure.goesOn')
              : t('incidents.overAt', { time: moment(untilMs, ianaTimezone) })
          }
        />
      )}
      <KeyFigure
        label={t('incidents.figure.times')}
        value={`${format.number(times)}×`}
        note={t('incidents.figure.last', { time: moment(spells[0]?.sinceMs ?? sinceMs, ianaTimezone) })}
      />
      <NextStep code={incident.code} isOver={incident.state === 'closed'} />
    </KeyFigures>
  );
}

interface YearlyProps extends NonNullable<IncidentDetail['ifNothing']> {
  currency: string;
}

/** What a year of it would cost. */
function Yearly({ wh, money, days, currency }: YearlyProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { value, unit } = format.energyQuantity(wh);
  return (
    <KeyFigure
      label={t('incidents.figure.ifNothing')}
      hint={t('incidents.figure.ifNothingMeaning', { count: days })}
      value={`≈ ${value}`}
      unit={t('incidents.figure.perYear', { unit })}
      note={
        money === null
          ? t('incidents.noMoney')
          : t('incidents.figure.moneyPerYear', { money: format.money(money, currency) })
      }
      tone="bad"
    />
  );
}

/** The first thing to do: for an owner what is safe, for others the first step. */
function NextStep({ code, isOver }: { code: number; isOver: boolean }): ReactNode {
  const { t } = useTranslation();
  const isOwner = useGlobalState((state) => state.access === LEVEL.endUser);
  const { advice } = useAlarmText()(code);
  const [first] = alarmFactsOf(code).steps;
  const step = isOwner || first === undefined ? advice : t(`alarm-facts.step.${first}`);
  return (
    <div className={styles.next}>
      <span>{t('incidents.figure.next')}</span>
      <strong>{isOver ? t('incidents.figure.nothing') : step}</strong>
    </div>
  );
}
