import { whereFrom } from '@sonnenwarte/contract/sites/site-endpoints';
import type { SiteWhereFrom, WhereFrom } from '@sonnenwarte/contract/sites/site-where-from';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { QualityMark } from '../blocks/show/key-figure.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { read } from '../client/queries.ts';
import { useAnswered } from '../client/use-answered.ts';
import { type CalendarDay, localDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../live/use-now.ts';
import { DayStepper } from './day-stepper.tsx';
import { WhereFromBands } from './where-from-bands.tsx';
import styles from './where-from-drawer.module.css';
import { WhereFromQuarters } from './where-from-quarters.tsx';
import { nameOf, partOf, sharesOf, shownOrigins, toneOf } from './where-from-shares.ts';

const MINUTE_MS = 60_000;
/** Less was not used. */
const USED_WH = 10;

export type Destination = 'house' | 'car';

interface WhereFromDrawerProps {
  stationID: string;
  timeZone: string;
  /** Whether the plant has a charging pile. */
  hasCar: boolean;
  first: { to: Destination; day: CalendarDay };
  onClose: () => void;
}

/** Where the kilowatt hours of house or car came from on a day, and what they cost. */
export function WhereFromDrawer({ stationID, timeZone, hasCar, first, onClose }: WhereFromDrawerProps): ReactNode {
  const { t } = useTranslation();
  const today = localDay(useNow(MINUTE_MS), timeZone);
  const [day, setDay] = useState(first.day);
  const [to, setTo] = useState(first.to);
  const query = useQuery({
    ...read(whereFrom, { stationID, date: day }),
    ...(day === today && { refetchInterval: MINUTE_MS }),
    placeholderData: (previous) => previous,
  });
  const answered = useAnswered(day, query);
  const told = answered?.data[to] ?? null;
  const isToday = answered?.asked === today;
  return (
    <Dialog
      title={day === today ? t('sites.from.today') : t('sites.from.title')}
      opened
      onClose={onClose}
      shape="sheet"
    >
      <div className={styles.content}>
        <div className={styles.controls}>
          {hasCar && (
            <Segmented
              label={t('sites.from.to')}
              value={to}
              options={[
                { value: 'house', label: t('sites.from.house') },
                { value: 'car', label: t('sites.from.car') },
              ]}
              onChange={setTo}
            />
          )}
          <DayStepper date={day} today={today} onChange={setDay} />
        </div>
        <ReadState query={query}>
          <Skeleton height="24rem" />
        </ReadState>
        {answered && (
          <div className={styles.told} data-waiting={query.isPlaceholderData || undefined}>
            {told === null || told.wh < USED_WH ? (
              <Nothing to={to} told={answered.data} isToday={isToday} onOpenDay={setDay} />
            ) : (
              <Told to={to} told={told} whole={answered.data} isToday={isToday} />
            )}
          </div>
        )}
      </div>
    </Dialog>
  );
}

interface NothingProps {
  to: Destination;
  told: SiteWhereFrom;
  isToday: boolean;
  onOpenDay: (day: CalendarDay) => void;
}

function Nothing({ to, told, isToday, onOpenDay }: NothingProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  if (to === 'house') return <EmptyState text={t('charts.noDay')} />;
  const last = told.car?.last ?? null;
  return (
    <EmptyState
      text={t(isToday ? 'sites.from.notYet' : 'sites.from.notCharged')}
      action={
        last !== null && (
          <button type="button" className={styles.last} onClick={() => onOpenDay(last.day)}>
            {t('sites.from.last', { day: format.day(last.day), energy: format.energy(last.wh) })}
          </button>
        )
      }
    />
  );
}

interface ToldProps {
  to: Destination;
  told: WhereFrom;
  whole: SiteWhereFrom;
  isToday: boolean;
}

function Told({ to, told, whole, isToday }: ToldProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { currency, ianaTimezone: timeZone, purchasePrice } = whole;
  const shown = shownOrigins(told, whole.tells);
  const energies = format.energyParts(shown.map((origin) => partOf(told, origin)));
  const shares = sharesOf(shown.map((origin) => partOf(told, origin)));
  const nought = told.paid === null ? null : '0';
  const sunPercent = format.percent(shares[0] ?? 0);
  const sentences = [
    told.paid === null
      ? t('sites.from.sentence', { energy: energies.sum, percent: sunPercent })
      : t('sites.from.sentencePaid', {
          energy: energies.sum,
          money: format.money(told.paid, currency),
          percent: sunPercent,
        }),
    told.gridOnly === null ? '' : t('sites.from.gridOnly', { money: format.money(told.gridOnly, currency) }),
  ];
  const { bought } = whole;
  const besideWh = bought === null ? 0 : bought.batteryWh + bought.lostWh;
  const notes = [
    bought === null || besideWh < USED_WH || bought.batteryPaid === null || bought.lostPaid === null
      ? ''
      : t('sites.from.beside', {
          energy: format.energy(besideWh),
          money: format.money(String(Number(bought.batteryPaid) + Number(bought.lostPaid)), currency),
        }),
    told.forgone === null || Number(told.forgone) <= 0
      ? ''
      : t('sites.from.forgone', { money: format.money(told.forgone, currency) }),
    purchasePrice === null ? '' : t('sites.from.price', { price: format.unitPrice(purchasePrice, currency) }),
    told.paid === null ? t('sites.from.noPrice') : '',
  ].filter((note) => note !== '');
  return (
    <>
      <p className={styles.sentence}>{sentences.filter((sentence) => sentence !== '').join(' ')}</p>
      <WhereFromBands to={to} parts={told} shown={shown} />
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('sites.from.origin')}</th>
            <th scope="col">{t('sites.from.energy')}</th>
            {told.paid !== null && <th scope="col">{t('sites.from.paid')}</th>}
            <th scope="col">{t('sites.from.share')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((origin, place) => (
            <tr key={origin}>
              <th scope="row">
                <i style={{ background: `var(--${toneOf[origin]})` }} />
                {t(nameOf(origin))}
              </th>
              <td>{energies.parts[place]}</td>
              {told.paid !== null && (
                <td>{origin === 'undivided' ? '–' : format.money(origin === 'grid' ? told.paid : nought, currency)}</td>
              )}
              <td>{format.percent(shares[place] ?? 0)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">
              {t(to === 'car' ? 'sites.from.car' : 'sites.from.house')} <QualityMark quality={told.quality} />
            </th>
            <td>{energies.sum}</td>
            {told.paid !== null && <td>{format.money(told.paid, currency)}</td>}
            <td>{format.percent(100)}</td>
          </tr>
        </tfoot>
      </table>
      <WhereFromQuarters told={told} shown={shown} timeZone={timeZone} />
      {to === 'car' && whole.car && <Sessions car={whole.car} currency={currency} timeZone={timeZone} now={isToday} />}
      {notes.length > 0 && <p className={styles.note}>{notes.join(' ')}</p>}
    </>
  );
}

interface SessionsProps {
  car: NonNullable<SiteWhereFrom['car']>;
  currency: string;
  timeZone: string;
  now: boolean;
}

/** When it was charged; the rest, which the pile took while it stood by, makes them add up. */
function Sessions({ car, currency, timeZone, now }: SessionsProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { sessions } = car;
  if (sessions.length === 0) return null;
  const restWh = car.wh - sessions.reduce((sum, { wh }) => sum + wh, 0);
  const energies = format.energyParts([...sessions.map(({ wh }) => wh), Math.max(0, restWh)]);
  const rest = energies.parts.at(-1) ?? '';
  return (
    <section className={styles.sessions}>
      <h3>{t('sites.from.sessions')}</h3>
      <ul>
        {sessions.map((session, place) => {
          const end = session.runs && now ? t('sites.from.now') : format.time(session.endMs, timeZone);
          const sun = sharesOf([session.pvWh, session.wh - session.pvWh])[0] ?? 0;
          return (
            <li key={session.startMs}>
              <b>
                {format.time(session.startMs, timeZone)}–{end}
              </b>
              <span>
                {sun === 100 ? t('sites.from.onlySun') : t('sites.from.sun', { percent: format.percent(sun) })}
              </span>
              <b>
                {energies.parts[place]}
                {session.paid !== null && ` · ${format.money(session.paid, currency)}`}
              </b>
            </li>
          );
        })}
        {/[1-9]/.test(rest) && (
          <li>
            <span>{t('sites.from.standby')}</span>
            <span />
            <b>{rest}</b>
          </li>
        )}
      </ul>
    </section>
  );
}
