import { type DevOpsRow, exportList, list } from '@sonnenwarte/contract/insight/insight';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { FieldFilter, ListSearch, SelectFilter } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { useList } from '../blocks/list/use-list.ts';
import { Badge } from '../blocks/show/badge.tsx';
import { Button } from '../blocks/show/button.tsx';
import { Freshness } from '../blocks/show/freshness.tsx';
import { useFormat } from '../format/use-format.ts';
import { PreliminaryCount } from '../sites/preliminary.tsx';
import { useRouteLabel } from '../tabs/route-label.ts';
import { DaysFilter } from './days-filter.tsx';
import { Evidence } from './evidence-part.ts';
import styles from './insight.module.css';
import { useLossText } from './loss-text.ts';

/** Figures that need the light, a sensor or neighbours: where no plant of a page has one, its column says nothing. */
const needing = ['performanceRatio', 'peersYield', 'outlier', 'availability'] as const;

/** Those that no row has. A figure alone says that there is none: only with neighbours can a plant stand out. */
const unknownThroughout = (rows: readonly DevOpsRow[]) =>
  needing.filter((field) =>
    rows.length === 0 ? false : rows.every((row) => row[field === 'outlier' ? 'peersYield' : field] === null),
  );

/** Values that are still coming are no reason of a loss. */
const isTold = (row: DevOpsRow): row is DevOpsRow & { reason: NonNullable<DevOpsRow['reason']> } =>
  row.reason !== null && !(row.isPreliminary && row.reason.kind === 'offline');

/** Plants over a period in the terms of IEC 61724-1: what they gave of what they could, and what stands out. */
export function DevOpsScreen(): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const format = useFormat();
  const lossText = useLossText();
  const [open, setOpen] = useState<DevOpsRow>();
  const plants = useList(list);
  const shown = useMemo(
    (): readonly ShownField<typeof list>[] => [
      { field: 'name', card: 'title' },
      { field: 'state', card: 'aside' },
      { field: 'lossWh', card: 'figure' },
      {
        field: 'lossMoney',
        card: 'figure',
        cell: ({ lossMoney, currency }) =>
          lossMoney === null ? t('losses.attention.notKnown') : format.money(lossMoney, currency),
      },
      {
        field: 'reason',
        card: 'foot',
        cell: (row) => (
          <span className={styles.does}>
            {isTold(row) && lossText(row.reason).reason}
            <Button
              small
              onClick={() => setOpen(row)}
              aria-label={t('losses.attention.evidenceOf', { name: row.name })}
            >
              {t('losses.attention.evidence')}
            </Button>
          </span>
        ),
      },
      { field: 'performanceRatio', card: 'foot' },
      { field: 'specificYield', card: 'foot' },
      { field: 'peersYield' },
      {
        field: 'outlier',
        cell: (row) =>
          row.outlier === null || row.peersYield === null || row.specificYield === null ? (
            ''
          ) : (
            <span className={styles.name}>
              <Badge>{t(`insight.outlier.${row.outlier}`)}</Badge>
              <small>
                {t('insight.devOps.explained', {
                  change: format.change((100 * (row.specificYield - row.peersYield)) / row.peersYield),
                  number: format.number(row.peers),
                })}
              </small>
            </span>
          ),
      },
      { field: 'availability' },
      { field: 'completeness', card: 'foot' },
      { field: 'actualWh', optional: true },
      { field: 'expectedWh', optional: true },
      { field: 'city', optional: true },
      { field: 'country', optional: true },
      { field: 'systemCapacity', optional: true },
      {
        field: 'updatedAtMs',
        card: 'foot',
        cell: ({ updatedAtMs, intervalS, state }) => (
          <Freshness asOfMs={updatedAtMs} intervalS={intervalS} offline={state === 'offline'} />
        ),
      },
    ],
    [t, format, lossText],
  );
  const unknown = unknownThroughout(plants.rows ?? []);
  const columns = useColumns(plants, shown).map(({ card, ...column }) =>
    unknown.some((field) => field === column.field)
      ? { ...column, optional: true }
      : { ...column, ...(card && { card }) },
  );
  const preliminary = (plants.rows ?? []).filter(({ isPreliminary }) => isPreliminary).length;
  return (
    <ListScreen
      title={label('dev-ops')}
      list={plants}
      actions={<ExportButton endpoint={exportList} list={plants} columns={columns} />}
      filters={
        <>
          <ListSearch list={plants} />
          <DaysFilter list={plants} />
          <FieldFilter list={plants} field="state" />
          <SelectFilter
            list={plants}
            field="losing"
            label={t('sites.losing.label')}
            options={[
              { value: 'yes', label: t('sites.losing.yes') },
              { value: 'no', label: t('sites.losing.no') },
            ]}
          />
        </>
      }
    >
      <PreliminaryCount of="plantsOnPage" count={preliminary} total={plants.rows?.length ?? 0} />
      <DataTable
        list={plants}
        columns={columns}
        target={(row) => ({ to: 'plant-detail', query: { id: row.stationID } })}
      />
      <p className={styles.quiet}>
        {unknown.length > 0 && (
          <>
            {t('insight.devOps.unknown', {
              columns: new Intl.ListFormat(format.locale).format(unknown.map((field) => t(`insight.field.${field}`))),
            })}{' '}
          </>
        )}
        {t('insight.devOps.note')}
      </p>
      {open && (
        <Suspense>
          <Evidence stationID={open.stationID} name={open.name} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </ListScreen>
  );
}
