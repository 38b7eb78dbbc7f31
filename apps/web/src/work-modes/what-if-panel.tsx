import type { Result } from '@sonnenwarte/contract/endpoint';
import type { Plan } from '@sonnenwarte/contract/work-modes/plan';
import { type Outcome, proposals, type whatIf } from '@sonnenwarte/contract/work-modes/what-if';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../blocks/form/segmented.tsx';
import { showEdges } from '../blocks/list/edge-shadow.ts';
import { Badge } from '../blocks/show/badge.tsx';
import { Button } from '../blocks/show/button.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { read } from '../client/queries.ts';
import { NOT_MEASURED } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import { editable } from './plan-edit.ts';
import styles from './what-if.module.css';
import { apartBySaving, isLoss } from './worth-taking.ts';

export type Span = 'yesterday' | 'month';

interface WhatIfPanelProps {
  stationID: string;
  plan: Plan;
  span: Span;
  onSpan: (span: Span) => void;
  result: Result<typeof whatIf> | undefined;
  readOnly: boolean;
  /** Power costs the same at all times. */
  hasFlatPrice: boolean;
  /** Key of the row whose course is drawn. */
  shown: string;
  onShow: (key: string, outcome: Outcome) => void;
  /** Takes a proposal into the band. */
  onTake: (plan: Plan) => void;
}

interface Row {
  readonly key: string;
  readonly label: string;
  readonly outcome: Outcome;
  readonly canTake: boolean;
}

const CYCLE_DECIMALS = 1;

/** What plans would have made of the plant's own recorded days. */
export function WhatIfPanel(props: WhatIfPanelProps): ReactNode {
  const { stationID, plan, span, onSpan, result, readOnly, hasFlatPrice, shown, onShow, onTake } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const sought = useQuery({
    ...read(proposals, { stationID, span, plan: { ...plan, mode: 'selfUse', periods: [], pricePeriods: null } }),
    placeholderData: (before) => before,
  });
  const [isOpen, setOpen] = useState(false);
  const { saving, idle } = apartBySaving(sought.data?.proposals ?? []);
  const rows: Row[] = [
    ...(result?.baseline
      ? [{ key: 'baseline', label: t('work-modes.row.baseline'), outcome: result.baseline, canTake: false }]
      : []),
    ...(result?.own ? [{ key: 'own', label: t('work-modes.row.own'), outcome: result.own, canTake: false }] : []),
    ...(isOpen ? [...saving, ...idle] : saving).map(({ kind, outcome }) => ({
      key: kind,
      label: t(`work-modes.row.${kind}`),
      outcome,
      canTake: !readOnly,
    })),
  ];
  const best = rows.reduce<Row | undefined>((top, row) => {
    const saved = Number(row.outcome.saved ?? Number.NaN);
    return saved > Number(top?.outcome.saved ?? 0) ? row : top;
  }, undefined);
  const currency = result?.currency ?? '';
  const wh = format.column(
    'energy',
    rows.flatMap(({ outcome }) => [outcome.importWh, outcome.exportWh]),
  );
  return (
    <Panel
      title={
        result === undefined
          ? t('work-modes.whatIf')
          : t('work-modes.whatIfOf', {
              days:
                result.fromDay === result.toDay
                  ? format.day(result.toDay)
                  : `${format.day(result.fromDay)} – ${format.day(result.toDay)}`,
            })
      }
      actions={
        <Segmented
          label={t('work-modes.span')}
          value={span}
          options={[
            { value: 'yesterday', label: t('work-modes.yesterday') },
            { value: 'month', label: t('work-modes.month') },
          ]}
          onChange={onSpan}
        />
      }
    >
      {result === undefined ? (
        <WhatIfSkeleton />
      ) : rows.length === 0 ? (
        <p>{t('work-modes.nothingRecorded')}</p>
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
          <section ref={showEdges} className={styles.scroll} tabIndex={0} aria-label={t('work-modes.whatIf')}>
            <table className={styles.table}>
              <thead>
                <tr>
                  <th scope="col">{t('work-modes.column.plan')}</th>
                  <th scope="col">
                    {t('work-modes.column.import')} <small>{wh.unit}</small>
                  </th>
                  <th scope="col">
                    {t('work-modes.column.export')} <small>{wh.unit}</small>
                  </th>
                  <th scope="col">{t('work-modes.column.cost')}</th>
                  <th scope="col">{t('work-modes.column.saved')}</th>
                  <th scope="col">{t('work-modes.column.cycles')}</th>
                  <th scope="col">{t('work-modes.column.endSoc')}</th>
                  <th scope="col">
                    <span className="visually-hidden">{t('work-modes.take')}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.map(({ key, label, outcome, canTake }) => (
                  <tr key={key} data-chosen={key === shown || undefined}>
                    <th scope="row">
                      <label className={styles.choice}>
                        <input
                          type="radio"
                          name="what-if"
                          checked={key === shown}
                          onChange={() => onShow(key, outcome)}
                        />
                        {label}
                      </label>
                      {best?.key === key && <Badge>{t('work-modes.best')}</Badge>}
                    </th>
                    <td data-label={`${t('work-modes.column.import')} ${wh.unit}`}>{wh.text(outcome.importWh)}</td>
                    <td data-label={`${t('work-modes.column.export')} ${wh.unit}`}>{wh.text(outcome.exportWh)}</td>
                    <td data-label={t('work-modes.column.cost')}>{format.money(outcome.cost, currency)}</td>
                    <td
                      data-label={t('work-modes.column.saved')}
                      data-saved={Number(outcome.saved ?? 0) > 0 || undefined}
                      data-lost={isLoss(outcome.saved) || undefined}
                    >
                      {outcome.saved === null ? NOT_MEASURED : format.money(outcome.saved, currency)}
                    </td>
                    <td data-label={t('work-modes.column.cycles')}>{format.number(outcome.cycles, CYCLE_DECIMALS)}</td>
                    <td data-label={t('work-modes.column.endSoc')}>{format.percent(outcome.endSoc, 0)}</td>
                    <td data-act>
                      {canTake && (
                        <Button
                          look="plain"
                          small
                          aria-label={t('work-modes.takeThis', { plan: label })}
                          onClick={() => onTake(editable(outcome.plan))}
                        >
                          {t('work-modes.take')}
                        </Button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          {idle.length > 0 && (
            <p className={styles.idle}>
              {saving.length > 0
                ? t('work-modes.restIdle')
                : t(hasFlatPrice ? 'work-modes.noneSavesFlat' : 'work-modes.noneSaves')}
              <Button small look="plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                {t(isOpen ? 'work-modes.hideIdle' : 'work-modes.showIdle')}
              </Button>
            </p>
          )}
          <p className={styles.note}>
            {t('work-modes.whatIfNote', { percent: format.percent(result.recordedPercent, 0) })}
          </p>
        </>
      )}
    </Panel>
  );
}

const SKELETON_ROWS = ['baseline', 'own', 'price', 'balanced', 'gentle'];

/** In the shape of the table: its head, and a row for each plan. */
function WhatIfSkeleton(): ReactNode {
  return (
    <LoadingSkeleton>
      <div className={styles.waiting}>
        <Skeleton width="60%" />
        {SKELETON_ROWS.map((row) => (
          <Skeleton key={row} height="2rem" />
        ))}
        <Skeleton width="80%" height="0.75rem" />
      </div>
    </LoadingSkeleton>
  );
}
