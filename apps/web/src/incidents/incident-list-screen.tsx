import { summary } from '@sonnenwarte/contract/incidents/incident-summary';
import { acknowledge, list as call, exportList, type IncidentRow } from '@sonnenwarte/contract/incidents/incidents';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermit } from '../blocks/actions/can.tsx';
import { type Column, type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { ListSearch } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { useRowKeys } from '../blocks/list/row-keys.ts';
import { useList } from '../blocks/list/use-list.ts';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import { WayButton } from '../blocks/show/way-button.tsx';
import { read, write } from '../client/queries.ts';
import { useAlarmText } from '../format/alarm-text.ts';
import { useFormat } from '../format/use-format.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { useTab } from '../tabs/tab-context.ts';
import { incidentActions } from './incident-actions.tsx';
import { LostEnergy, LostMoney, Name, Since, Until, Where } from './incident-cells.tsx';
import { IncidentFigures } from './incident-figures.tsx';
import { IncidentKeys } from './incident-keys.tsx';
import { IncidentViews, LevelFilter, NarrowedTo, viewOf } from './incident-views.tsx';
import styles from './incidents.module.css';
import { currencyOf, lossShares } from './loss-shares.ts';
import { NewIncidents } from './new-incidents.tsx';
import { StateTag } from './state-tag.tsx';
import { useChildren } from './use-children.ts';
import { useChosenIncidents } from './use-chosen-incidents.tsx';
import { useHeldList } from './use-held-list.ts';
import { useIncidentNews } from './use-incident-news.ts';
import { useNested } from './use-nested.tsx';

/** Where the stream is cut, and for what passes with time. */
const REFRESH_MS = 30_000;

/** What costs most first: all alarms in scope, as incidents. */
export function IncidentListScreen(): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const { name: route } = useTab();
  const format = useFormat();
  const phone = useIsPhone();
  const alarmText = useAlarmText();
  const place = useRef<HTMLDivElement>(null);
  useIncidentNews();
  const now = useQuery({ ...read(summary, {}), refetchInterval: REFRESH_MS });
  const held = useHeldList(useList(call, { refreshMs: REFRESH_MS }), now.data?.newest);
  const incidents = held.list;
  const rows = useMemo(() => incidents.rows ?? [], [incidents.rows]);
  const view = viewOf(incidents);
  const children = useChildren(REFRESH_MS);
  const { shown, nesting } = useNested(rows, children);
  const selection = useChosenIncidents(shown);
  const permitted = usePermit()(acknowledge);

  const currency = currencyOf(rows);
  const fields = useMemo((): readonly ShownField<typeof call>[] => {
    const shareOf = lossShares(rows);
    const withEnd = view === 'mended' || view === 'all';
    return [
      { field: 'code', card: 'title', cell: (row) => <Name row={row} /> },
      { field: 'plantName', card: 'foot', cell: (row) => <Where row={row} /> },
      { field: 'level', optional: true },
      { field: 'sinceMs', card: 'foot', cell: (row) => <Since row={row} /> },
      {
        field: 'untilMs',
        ...(withEnd ? { card: 'foot' as const } : { optional: true as const }),
        cell: (row) => <Until row={row} />,
      },
      { field: 'times', optional: true },
      {
        field: 'lostWh',
        card: 'figure',
        cell: ({ lostWh }, plain) => <LostEnergy lostWh={lostWh}>{plain}</LostEnergy>,
      },
      { field: 'lostMoney', card: 'figure', cell: (row) => <LostMoney row={row} share={shareOf(row)} /> },
      { field: 'state', card: 'aside', cell: (row) => <StateTag row={row} brief /> },
      {
        field: 'assignee',
        card: 'foot',
        cell: ({ assignee }) => <span className={styles.assignee}>{assignee === '' ? '–' : assignee}</span>,
      },
    ];
  }, [rows, view]);
  const told = useColumns({ endpoint: call, rows: shown }, fields);
  const columns = useMemo((): readonly Column<IncidentRow>[] => {
    const shareOf = lossShares(rows);
    return told.map((column) => {
      // Without a header a dash says nothing.
      if (column.field === 'assignee') {
        return {
          ...column,
          inCard: ({ assignee }: IncidentRow) => assignee && t('incidents.assignedTo', { name: assignee }),
        };
      }
      if (column.field !== 'lostMoney') return column;
      return {
        ...column,
        align: 'end' as const,
        ...(currency !== undefined && {
          unit: format.currencySign(currency),
          cell: (row: IncidentRow) => <LostMoney row={row} share={shareOf(row)} bare />,
          inCard: (row: IncidentRow) => <LostMoney row={row} share={shareOf(row)} />,
        }),
      };
    });
  }, [told, rows, currency, format, t]);

  useRowKeys(place, {
    q: (rowKey) => {
      const row = shown.find(({ incidentID }) => incidentID === rowKey);
      const isChosen = selection?.keys.has(rowKey) === true;
      if (!permitted || !row?.can.work || (!isChosen && row.state !== 'open')) return;
      // The client says what goes wrong.
      write(permitted, { ids: isChosen ? [...selection.keys] : [rowKey] }).catch(() => undefined);
    },
  });

  const { counts, told: messages } = now.data ?? {};
  const views = <IncidentViews list={incidents} summary={now.data} />;
  return (
    <ListScreen
      title={label(route === 'integrator-alarm' ? 'integrator-alarm' : 'alarm')}
      {...(counts &&
        messages !== undefined && {
          about: t('incidents.comesTo', { count: counts.open, told: t('incidents.messages', { count: messages }) }),
        })}
      list={incidents}
      actions={
        <>
          {route === 'alarm' && <WayButton to="alarm-rules" />}
          <ExportButton endpoint={exportList} list={incidents} columns={columns} />
        </>
      }
      figures={
        <>
          <IncidentFigures summary={now.data} />
          {phone && views}
        </>
      }
      filters={
        <>
          {!phone && views}
          <ListSearch list={incidents} />
          <LevelFilter list={incidents} />
        </>
      }
    >
      <NarrowedTo list={incidents} plantName={rows[0]?.plantName ?? ''} />
      <NewIncidents waiting={held.waiting} onShow={held.showNew} />
      <div ref={place} className={styles.table}>
        <DataTable
          name={label('alarm')}
          list={{ ...incidents, rows: incidents.rows && shown }}
          columns={columns}
          actions={incidentActions}
          rowName={({ code, plantName, region }) =>
            [alarmText(code).name, plantName || region].filter((each) => each !== '').join(', ')
          }
          {...(selection && { selection })}
          nesting={nesting}
          foot={<IncidentKeys canChoose={selection !== undefined} />}
          target={({ incidentID }) => ({ to: 'alarm-detail', query: { id: incidentID } })}
        />
      </div>
    </ListScreen>
  );
}
