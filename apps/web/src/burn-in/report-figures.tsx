import type { report } from '@sonnenwarte/contract/burn-in/burn-in';
import type { Input } from '@sonnenwarte/contract/endpoint';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { KeyFigure, KeyFigures } from '../blocks/show/key-figure.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { read } from '../client/queries.ts';
import { joinQuantity } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './burn-in.module.css';

interface ReportFiguresProps {
  endpoint: typeof report;
  input: Input<typeof report>;
}

/** Units, yield, why units failed, and how their worst temperatures and efficiencies lie. */
export function ReportFigures({ endpoint, input }: ReportFiguresProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const query = useQuery({ ...read(endpoint, input), placeholderData: keepPreviousData });
  const { data, error } = query;
  const notice = error && (
    <ErrorNotice error={error} retry={() => void query.refetch()} keepsShown={data !== undefined} />
  );
  if (data === undefined) {
    return (
      notice ?? (
        <LoadingSkeleton>
          <Skeleton height="16rem" />
        </LoadingSkeleton>
      )
    );
  }
  const { first, firstPassed } = data;
  // A unit that failed twice failed for two reasons.
  const failures = data.reasons.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      {notice}
      <KeyFigures>
        <KeyFigure
          label={t('burn-in.report.units')}
          value={format.number(data.units)}
          note={t('burn-in.report.runs', { number: format.number(data.runs) })}
        />
        <KeyFigure label={t('burn-in.report.passed')} value={format.number(data.passed)} tone="battery" />
        <KeyFigure label={t('burn-in.report.failed')} value={format.number(data.failed)} tone="bad" />
        <KeyFigure
          label={t('burn-in.report.yield')}
          hint={t('burn-in.report.yieldHint')}
          value={first === 0 ? '–' : format.percent((100 * firstPassed) / first, 1)}
          note={t('burn-in.report.yieldOf', { passed: format.number(firstPassed), first: format.number(first) })}
        />
      </KeyFigures>
      <div className={styles.panels}>
        <Panel title={t('burn-in.report.reasons')}>
          <Bars
            none={t('burn-in.report.noReasons')}
            whole={failures}
            bars={data.reasons.map(({ reason, count }) => ({
              label: t(`burn-in.reason.${reason}`),
              count,
              share: format.percent((100 * count) / Math.max(1, failures)),
            }))}
          />
        </Panel>
        <Panel title={t('burn-in.report.temperatures')}>
          <Bars
            none={t('burn-in.report.nothing')}
            bars={data.temperatures.map(({ from, to, count }) => ({
              label: t('burn-in.report.bin', {
                from: format.number(from),
                to: joinQuantity({ ...format.point(to, 'degC'), value: format.number(to) }),
              }),
              count,
            }))}
          />
        </Panel>
        <Panel title={t('burn-in.report.efficiencies')}>
          <Bars
            none={t('burn-in.report.nothing')}
            bars={data.efficiencies.map(({ from, to, count }) => ({
              label: t('burn-in.report.bin', { from: format.number(from), to: format.percent(to) }),
              count,
            }))}
          />
        </Panel>
      </div>
    </>
  );
}

interface BarsProps {
  bars: readonly { label: string; count: number; share?: string }[];
  /** What the bars add up to; else the longest fills its line. */
  whole?: number;
  none: string;
}

function Bars({ bars, whole, none }: BarsProps): ReactNode {
  const format = useFormat();
  if (bars.length === 0) return <EmptyState text={none} />;
  const most = whole ?? Math.max(...bars.map(({ count }) => count));
  return (
    <ul className={styles.bars}>
      {bars.map(({ label, count, share }) => (
        <li key={label}>
          <span>{label}</span>
          <span className={styles.track} aria-hidden="true">
            <span data-drawn className={styles.bar} style={{ inlineSize: `${(100 * count) / Math.max(1, most)}%` }} />
          </span>
          <b>{share === undefined ? format.number(count) : `${format.number(count)} · ${share}`}</b>
        </li>
      ))}
    </ul>
  );
}
