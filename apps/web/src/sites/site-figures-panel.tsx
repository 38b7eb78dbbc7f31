import type { Figures, Site } from '@sonnenwarte/contract/sites/site';
import { figures } from '@sonnenwarte/contract/sites/sites';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Hint } from '../blocks/overlay/hint.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { MarkLegend, QualityMark } from '../blocks/show/key-figure.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import { read } from '../client/queries.ts';
import { type Format, useFormat } from '../format/use-format.ts';
import { EstimatedNote, useEstimates } from './estimated-part.tsx';
import { markOf } from './preliminary.tsx';
import { withToday } from './running-sums.ts';
import styles from './site-figures-panel.module.css';
import sitesStyles from './sites.module.css';
import type { SiteNow } from './use-site-now.ts';

const periods = ['today', 'month', 'year', 'total'] as const;
type Period = (typeof periods)[number];

const rows = [
  'generationWh',
  'externalWh',
  'consumptionWh',
  'selfUseWh',
  'feedInWh',
  'purchaseWh',
  'chargeWh',
  'dischargeWh',
  'chargerWh',
  'selfConsumptionPercent',
  'selfSufficiencyPercent',
  'specificYield',
  'income',
  'saving',
  'paid',
  'co2Kg',
] as const satisfies readonly (keyof Figures)[];
type Row = (typeof rows)[number];

function textOf(row: Row, figures: Figures, currency: string, format: Format): string {
  switch (row) {
    case 'income':
    case 'saving':
    case 'paid':
      return format.money(figures[row], currency);
    case 'co2Kg':
      return figures.co2Kg === null ? '–' : `${format.number(figures.co2Kg, 1)}\u00a0kg`;
    case 'selfConsumptionPercent':
    case 'selfSufficiencyPercent':
      return format.percent(figures[row]);
    case 'specificYield':
      return figures.specificYield === null
        ? '–'
        : `${format.number(figures.specificYield, 2)}\u00a0kWh/${format.kWpUnit}`;
    default:
      return format.energy(figures[row]);
  }
}

const isMoney = (row: Row): row is 'income' | 'saving' | 'paid' =>
  row === 'income' || row === 'saving' || row === 'paid';

/** Since when there is money, where energies beside it are older. */
function MoneySpan({ row, figures }: { row: Row; figures: Figures }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  if (!isMoney(row) || figures[row] === null || figures.moneySince === null) return null;
  return <small className={sitesStyles.span}>{t('sites.note.since', { day: format.day(figures.moneySince) })}</small>;
}

/** Figures of today, month, year and total, those that the plant has; on a phone one period at a time. */
export function SiteFiguresPanel({ site, now }: { site: Site; now: SiteNow }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const phone = useIsPhone();
  const [chosen, setChosen] = useState<Period>('today');
  const query = useQuery(read(figures, { stationID: site.stationID }));
  const answer = query.data;
  const data = answer && withToday(answer, now.today ?? answer.today);
  const present = data ? rows.filter((row) => periods.some((period) => data[period][row] !== null)) : [];
  const shown = phone ? [chosen] : periods;
  const estimates = useEstimates(site.stationID, data ? shown.map((period) => data[period]) : []);
  return (
    <Panel title={t('sites.section.figures')}>
      <ReadState query={query}>
        <Skeleton height="20rem" />
      </ReadState>
      {data && present.length === 0 && (
        <EmptyState text={t(now.historyPercent === null ? 'sites.notice.noFigures' : 'charts.arriving')} />
      )}
      {data && present.length > 0 && phone && (
        <Segmented
          label={t('common.timeRange')}
          value={chosen}
          options={periods.map((period) => ({
            value: period,
            label: period === 'today' ? t('sites.period.today') : t(`common.span.${period}`),
          }))}
          onChange={setChosen}
          wide
        />
      )}
      {data && present.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className={sitesStyles.scroll} tabIndex={0}>
          <table className={styles.figures}>
            <thead>
              <tr>
                <th scope="col">{t('sites.period.label')}</th>
                {shown.map((period) => (
                  <th key={period} scope="col">
                    {t(`sites.period.${period}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {present.map((row) => (
                <tr key={row}>
                  <th scope="row">
                    <Hint text={t(`sites.hint.${row}`)}>{t(`sites.figure.${row}`)}</Hint>
                  </th>
                  {shown.map((period) => (
                    <td key={period}>
                      {textOf(row, data[period], data.currency, format)}
                      <QualityMark quality={markOf(data[period].qualities[row], now.historyPercent)} />
                      <EstimatedNote row={row} parts={estimates?.[period]} />
                      <MoneySpan row={row} figures={data[period]} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {data && data.total.co2Kg !== null && (
        <p className={styles.source}>
          {t('sites.note.co2', {
            factor: format.number(data.co2.kgPerKwh, 2),
            source: data.co2.source,
            trees: format.number(Math.floor(data.total.co2Kg / data.co2.kgPerTreeYear)),
            perTree: format.number(data.co2.kgPerTreeYear),
            treeSource: data.co2.treeSource,
          })}
        </p>
      )}
      {data && (
        <MarkLegend
          qualities={present.flatMap((row) =>
            shown.map((period) => markOf(data[period].qualities[row], now.historyPercent)),
          )}
        />
      )}
    </Panel>
  );
}
