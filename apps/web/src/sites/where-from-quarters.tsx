import type { WhereFrom } from '@sonnenwarte/contract/sites/site-where-from';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { EnergyBars } from '../charts/energy-bars.tsx';
import { useFormat } from '../format/use-format.ts';
import styles from './where-from-drawer.module.css';
import { nameOf, type OriginName, partOf, toneOf } from './where-from-shares.ts';

const QUARTER_MS = 15 * 60_000;
/** Less is nothing that was used, but what meters round. */
const USED_WH = 1;
const BARS_PX = 150;
const HOUR_MS = 4 * QUARTER_MS;

interface WhereFromQuartersProps {
  told: WhereFrom;
  shown: readonly OriginName[];
  timeZone: string;
}

/** When it was used, in quarter hours, from the first hour in which something was to the last. */
export function WhereFromQuarters({ told, shown, timeZone }: WhereFromQuartersProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const slots = useMemo(() => {
    const used = told.quarters.filter(({ wh }) => wh >= USED_WH);
    const firstMs = used[0]?.startMs;
    const lastMs = used.at(-1)?.startMs;
    if (firstMs === undefined || lastMs === undefined) return [];
    const byStart = new Map(used.map((quarter) => [quarter.startMs, quarter]));
    const fromMs = Math.floor(firstMs / HOUR_MS) * HOUR_MS;
    const length = Math.ceil((lastMs + 1 - fromMs) / HOUR_MS) * (HOUR_MS / QUARTER_MS);
    return Array.from({ length }, (_, place) => {
      const startMs = fromMs + place * QUARTER_MS;
      const quarter = byStart.get(startMs);
      const time = format.time(startMs, timeZone);
      return {
        key: String(startMs),
        label: time,
        longLabel: `${time}–${format.time(startMs + QUARTER_MS, timeZone)}`,
        valuesWh: shown.map((origin) => (quarter ? partOf(quarter, origin) : null)),
        estimated: false,
      };
    });
  }, [told, shown, timeZone, format]);
  if (slots.length === 0) return null;
  return (
    <section>
      <h3 className={styles.when}>
        {t('sites.from.when')} <span>{t('sites.from.quarters')}</span>
      </h3>
      <EnergyBars
        title={t('sites.from.when')}
        heightPx={BARS_PX}
        slots={slots}
        parts={shown.map((origin) => ({
          key: origin,
          label: t(nameOf(origin)),
          colour: `var(--${toneOf[origin]})`,
        }))}
      />
    </section>
  );
}
