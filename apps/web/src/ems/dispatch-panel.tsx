import { type Dispatch, dispatches } from '@sonnenwarte/contract/ems/ems';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { useListState } from '../blocks/list/list-state.ts';
import { useListAnswer } from '../blocks/list/use-list.ts';
import { Panel } from '../blocks/show/panel.tsx';
import { NOT_MEASURED } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';

const REFRESH_MS = 15_000;

interface DispatchPanelProps {
  stationID: string;
  /** Zone of the plant, whose clock steps are shown by. */
  zone: string;
  /** Steps tell what batteries may give, too. */
  hasBatteries: boolean;
}

/** From one value to another; one alone where they are the same. */
const course = (from: string, to: string): string => (from === to ? to : `${from} → ${to}`);

/** What the portal told inverters, when and why. */
export function DispatchPanel({ stationID, zone, hasBatteries }: DispatchPanelProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const state = useListState(dispatches.input);
  const list = useListAnswer(
    dispatches,
    { ...state, value: { ...state.value, condition: { ...state.value.condition, stationID } } },
    { refreshMs: REFRESH_MS },
  );
  const columns = useColumns(list, [
    { field: 'atMs', card: 'title', cell: ({ atMs }) => format.plantTime(atMs, zone) },
    { field: 'deviceSN', card: 'foot' },
    {
      field: 'toPercent',
      card: 'figure',
      cell: ({ fromPercent, toPercent }) =>
        toPercent === null
          ? NOT_MEASURED
          : course(fromPercent === null ? NOT_MEASURED : format.percent(fromPercent), format.percent(toPercent)),
    },
    ...(hasBatteries
      ? [
          {
            field: 'toW',
            card: 'figure',
            cell: ({ fromW, toW }: Dispatch) =>
              toW === null ? NOT_MEASURED : course(format.power(fromW), format.power(toW)),
          } as const,
        ]
      : []),
    { field: 'reason', card: 'foot' },
    { field: 'gridW', card: 'figure' },
    { field: 'capW', optional: true },
    { field: 'state', card: 'aside' },
  ] satisfies readonly ShownField<typeof dispatches>[]);
  return (
    <Panel title={t('ems.list.title')}>
      <DataTable list={list} columns={columns} name={`${t('routes.device-ems-config')}: ${t('ems.list.title')}`} />
    </Panel>
  );
}
