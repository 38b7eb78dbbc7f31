import { exportList, list, siteContentType, statusAll } from '@sonnenwarte/contract/sites/sites';
import type { ReactNode } from 'react';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { FieldFilter, ListSearch, SearchInFilter } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { StateChips } from '../blocks/list/state-chips.tsx';
import { useList } from '../blocks/list/use-list.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { asMarked, lastUpdate, MarksOnPage, now, Place, PreliminaryOnPage } from './site-cells.tsx';

const REFRESH_MS = 30_000;

const shown: readonly ShownField<typeof list>[] = [
  { field: 'name', card: 'title' },
  { field: 'state', card: 'aside' },
  { field: 'type', optional: true },
  { field: 'city', card: 'foot', cell: (row) => <Place row={row} /> },
  { field: 'country', optional: true },
  { field: 'systemCapacity' },
  { field: 'pvPowerW', card: 'figure', cell: now },
  { field: 'socPercent', card: 'figure', cell: now, meaning: 'flow.soc' },
  { field: 'todayWh', card: 'figure', meaning: 'sites.hint.generationWh' },
  { field: 'monthWh', optional: true },
  { field: 'totalWh' },
  { field: 'specificYieldToday', optional: true, meaning: 'sites.hint.specificYield' },
  { field: 'installer', optional: true },
  { field: 'owner', optional: true },
  { field: 'updatedAtMs', card: 'foot', cell: lastUpdate },
];

/** All plants in scope. */
export function SiteListScreen(): ReactNode {
  const label = useRouteLabel();
  const plants = useList(list, { refreshMs: REFRESH_MS, seenAs: asMarked });
  const columns = useColumns(plants, shown);
  return (
    <ListScreen
      title={label('plant-view')}
      list={plants}
      actions={<ExportButton endpoint={exportList} list={plants} columns={columns} />}
      summary={<StateChips list={plants} countedBy={statusAll} refreshMs={REFRESH_MS} />}
      filters={
        <>
          <ListSearch list={plants} />
          <SearchInFilter list={plants} choices={siteContentType} />
          <FieldFilter list={plants} field="state" />
          <FieldFilter list={plants} field="type" />
          <FieldFilter list={plants} field="country" />
        </>
      }
    >
      <PreliminaryOnPage rows={plants.rows ?? []} />
      <DataTable
        list={plants}
        columns={columns}
        target={(row) => ({ to: 'plant-detail', query: { id: row.stationID } })}
      />
      <MarksOnPage rows={plants.rows ?? []} />
    </ListScreen>
  );
}
