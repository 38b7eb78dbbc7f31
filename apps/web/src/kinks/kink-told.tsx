import { explain, type Kink } from '@sonnenwarte/contract/kinks/kinks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Skeleton } from '../blocks/show/loading.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { useCauseWords } from './cause-words.ts';
import styles from './kinks.module.css';

interface KinkToldProps {
  stationID: string;
  date: string;
  timeZone: string;
  kink: Kink;
}

/** Most reasons that are told of one kink. */
const MOST_TOLD = 2;

/** One kink in words: when, what fell against what, likely why, what it cost, and the way to the device's curve. */
export function KinkTold({ stationID, date, timeZone, kink }: KinkToldProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const wordsOf = useCauseWords(timeZone);
  const query = useQuery(read(explain, { stationID, date, fromMs: kink.fromMs }));
  const clock = (tsMs: number): string => format.time(tsMs, timeZone);
  const span = kink.recovers
    ? `${clock(kink.fromMs)}–${clock(kink.toMs)}`
    : t('kinks.from', { time: clock(kink.fromMs) });
  const { data } = query;
  if (data === undefined) {
    return (
      <>
        <strong>{span}:</strong>
        <ReadState query={query}>
          <Skeleton height="1.4em" />
        </ReadState>
      </>
    );
  }
  if (data.kink === null) return t('kinks.gone');
  const told = data.causes.slice(0, MOST_TOLD).map((cause) => wordsOf(cause, kink));
  const [likeliest = t('kinks.unknown'), ...others] = told;
  const { device, money, currency } = data;
  const isOfStrings = data.causes[0]?.kind === 'string' || data.causes[0]?.kind === 'cloud';
  return (
    <div className={styles.told}>
      <p>
        <strong>
          {span}: {likeliest}
        </strong>{' '}
        {others.join(' ')} {kink.lostWh !== null && <Lost lostWh={kink.lostWh} money={money} currency={currency} />}
      </p>
      {device !== null && (
        <ScreenLink
          to="device-inverter-detail"
          query={{
            id: device.deviceID,
            date,
            values: device.variables.join(','),
            from: String(kink.fromMs),
            to: String(kink.toMs),
          }}
        >
          {t(isOfStrings ? 'kinks.lookAtStrings' : 'kinks.lookAtDevice')}
        </ScreenLink>
      )}
    </div>
  );
}

function Lost({ lostWh, money, currency }: { lostWh: number; money: string | null; currency: string }): string {
  const { t } = useTranslation();
  const format = useFormat();
  const energy = format.energy(lostWh);
  if (money === null || Number(money) === 0) return t('kinks.lost', { energy });
  return t('kinks.lostMoney', { energy, money: format.money(money, currency) });
}
