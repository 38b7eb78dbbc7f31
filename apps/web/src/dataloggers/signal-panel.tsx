import { signal } from '@sonnenwarte/contract/dataloggers/dataloggers';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../blocks/form/segmented.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { TimeChart } from '../charts/time-chart.tsx';
import { read } from '../client/queries.ts';
import { joinQuantity } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';

const CHART_PX = 220;
const REFRESH_MS = 60_000;
/** An axis begins at zero: signals are drawn as what they are above -100 dBm, the least that is of any use. */
const BASE_DBM_ABOVE = 100;
const above = (dbm: number | null): number | null => (dbm === null ? null : Math.max(0, dbm + BASE_DBM_ABOVE));
type Hours = '24' | '168' | '720';
const spans: readonly Hours[] = ['24', '168', '720'];

/** Signal of a datalogger over a while, and what waited in its buffer. */
export function SignalPanel({ moduleID, timeZone }: { moduleID: string; timeZone: string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const [hours, setHours] = useState<Hours>('24');
  const { data, error, refetch } = useQuery({
    ...read(signal, { moduleID, hours }),
    refetchInterval: REFRESH_MS,
    placeholderData: (previous) => previous,
  });
  const series = useMemo(() => {
    const dbm = (value: number | null) =>
      value === null ? { value: '–', unit: '' } : { value: format.number(value - BASE_DBM_ABOVE, 0), unit: 'dBm' };
    const count = (value: number | null) => ({ value: format.number(value), unit: '' });
    if (data === undefined) return [];
    return [
      {
        key: 'mean',
        label: t('dataloggers.signal.mean'),
        values: data.meanDbm.map(above),
        colour: 'var(--brand)',
        scale: 'dBm',
        quantity: dbm,
      },
      {
        key: 'lowest',
        label: t('dataloggers.signal.lowest'),
        values: data.lowestDbm.map(above),
        colour: 'var(--muted)',
        dash: [3, 2],
        scale: 'dBm',
        quantity: dbm,
      },
      {
        key: 'pending',
        label: t('dataloggers.field.pending'),
        values: data.pending,
        colour: 'var(--battery)',
        dash: [8, 3],
        scale: 'count',
        quantity: count,
      },
    ].filter(({ key, values }) => values.some((value) => (key === 'pending' ? (value ?? 0) > 0 : value !== null)));
  }, [data, format, t]);
  const labelOf = (scale: string, value: number): string => {
    if (scale === 'dBm') return joinQuantity({ value: format.number(value - BASE_DBM_ABOVE), unit: 'dBm' });
    return Number.isInteger(value) ? format.number(value) : '';
  };
  const scales = [...new Set(series.map(({ scale }) => scale))].map((name) => ({
    name,
    labels: (values: readonly number[]) => values.map((value) => labelOf(name, value)),
  }));
  return (
    <Panel
      title={t('dataloggers.section.signal')}
      actions={
        <Segmented
          label={t('dataloggers.signal.span')}
          value={hours}
          options={spans.map((value) => ({ value, label: t(`dataloggers.signal.last.${value}`) }))}
          onChange={setHours}
        />
      }
    >
      {error && <ErrorNotice error={error} retry={() => void refetch()} keepsShown={data !== undefined} />}
      {data === undefined && !error && <Waiting />}
      {data !== undefined && series.length === 0 && <EmptyState text={t('dataloggers.signal.none')} />}
      {data !== undefined && series.length > 0 && (
        <Suspense fallback={<Waiting />}>
          <TimeChart
            tsMs={data.tsMs}
            startMs={data.startMs}
            endMs={data.endMs}
            timeZone={timeZone}
            series={series}
            scales={scales}
            summary={`${t('dataloggers.section.signal')}: ${series.map(({ label }) => label).join(', ')}. ${t(`dataloggers.signal.last.${hours}`)}.`}
            heightPx={CHART_PX}
          />
        </Suspense>
      )}
    </Panel>
  );
}

const Waiting = (): ReactNode => (
  <LoadingSkeleton>
    <Skeleton height={`${CHART_PX}px`} />
  </LoadingSkeleton>
);
