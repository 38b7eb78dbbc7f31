import { type ReactNode, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { TimeChart, type TimeSeries } from '../charts/time-chart.tsx';
import { localZone } from '../format/local-zone.ts';
import { useFormat } from '../format/use-format.ts';
import type { UnitDetail } from './unit-screen.tsx';

const CHART_PX = 240;

/** What a unit gave beside what was asked, and its temperature and voltage, over the run. */
export function UnitCurves({ data }: { data: UnitDetail }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { curve } = data;
  const [power, others] = useMemo((): [TimeSeries[], TimeSeries[]] => {
    const watts = (value: number | null) => format.powerQuantity(value);
    const volts = (value: number | null) => ({ value: format.number(value, 1), unit: 'V' });
    const degrees = (value: number | null) => ({ value: format.number(value, 1), unit: '°C' });
    return [
      [
        {
          key: 'power',
          label: t('burn-in.unit.power'),
          values: curve.powerW,
          colour: 'var(--pv)',
          scale: 'W',
          quantity: watts,
        },
        {
          key: 'asked',
          label: t('burn-in.unit.asked'),
          values: curve.askedW,
          colour: 'var(--muted)',
          dash: [6, 3],
          scale: 'W',
          quantity: watts,
        },
      ],
      [
        {
          key: 'temperature',
          label: t('burn-in.unit.temperature'),
          values: curve.temperatureC,
          colour: 'var(--bad)',
          scale: 'degC',
          quantity: degrees,
        },
        {
          key: 'voltage',
          label: t('burn-in.unit.voltage'),
          values: curve.voltageV,
          colour: 'var(--grid)',
          dash: [3, 2],
          scale: 'V',
          quantity: volts,
        },
      ],
    ];
  }, [curve, format, t]);
  if (curve.timesMs.length === 0)
    return (
      <Panel title={t('burn-in.unit.curve')}>
        <EmptyState text={t('burn-in.unit.noCurve')} />
      </Panel>
    );
  const labelOf = (unit: string) => (values: readonly number[]) =>
    values.map((value) => `${format.number(value, Number.isInteger(value) ? 0 : 1)} ${unit}`);
  const chart = (
    title: string,
    series: readonly TimeSeries[],
    scales: { name: string; labels: (values: readonly number[]) => string[] }[],
  ) => (
    <Panel title={title}>
      <Suspense fallback={<Skeleton height={`${CHART_PX}px`} />}>
        <TimeChart
          tsMs={curve.timesMs}
          startMs={curve.startMs}
          endMs={Math.max(curve.endMs, curve.startMs + 60_000)}
          timeZone={localZone()}
          series={series.filter(({ values }) => values.some((value) => value !== null))}
          scales={scales}
          summary={`${title}: ${series.map(({ label }) => label).join(', ')}.`}
          heightPx={CHART_PX}
        />
      </Suspense>
    </Panel>
  );
  return (
    <>
      {chart(t('burn-in.unit.curve'), power, [
        { name: 'W', labels: (values) => values.map((value) => format.power(value)) },
      ])}
      {chart(t('burn-in.unit.curveTemperature'), others, [
        { name: 'degC', labels: labelOf('°C') },
        { name: 'V', labels: labelOf('V') },
      ])}
    </>
  );
}
