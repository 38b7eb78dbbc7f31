import type { SiteRow } from '@sonnenwarte/contract/sites/site';
import { exportList, list, statusAll } from '@sonnenwarte/contract/sites/sites';
import type { ReactNode } from 'react';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { usePermit } from '../blocks/actions/can.tsx';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { type Selection, useSelection } from '../blocks/list/selection.tsx';
import { StateChips } from '../blocks/list/state-chips.tsx';
import { useList } from '../blocks/list/use-list.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { PlantViews } from './plant-views.tsx';
import { chosenSiteActions, siteActions, siteAdding } from './site-actions.tsx';
import { asMarked, lastUpdate, MarksOnPage, Name, Place, PreliminaryOnPage } from './site-cells.tsx';
import { SiteFilters } from './site-filters.tsx';

const REFRESH_MS = 30_000;

const shown: readonly ShownField<typeof list>[] = [
  { field: 'name', card: 'title', cell: (row, plain) => <Name row={row}>{plain}</Name> },
  { field: 'state', card: 'aside' },
  { field: 'type', optional: true },
  { field: 'city', card: 'foot', cell: (row) => <Place row={row} /> },
  { field: 'country', optional: true },
  { field: 'systemCapacity' },
  { field: 'pvPowerW', card: 'figure' },
  { field: 'socPercent', card: 'figure', meaning: 'flow.soc', optional: true },
  { field: 'todayWh', card: 'figure', meaning: 'sites.hint.generationWh' },
  { field: 'monthWh', optional: true },
  { field: 'totalWh', optional: true },
  { field: 'specificYieldToday', optional: true, meaning: 'sites.hint.specificYield' },
  { field: 'peersYieldToday', optional: true, meaning: 'sites.hint.peersYield' },
  { field: 'weekLossWh' },
  { field: 'installer', optional: true },
  { field: 'owner', optional: true },
  { field: 'updatedAtMs', card: 'foot', cell: lastUpdate },
];

/** Rows to choose, for who can do something with several. */
function useChosenSites(rows: readonly SiteRow[]): Selection | undefined {
  const chosen = useSelection();
  const permit = usePermit();
  if (!Object.values(chosenSiteActions.actions).some(({ of }) => permit(of))) return undefined;
  return {
    ...chosen,
    canSelect: (key) => rows.some(({ stationID, can }) => stationID === key && (can.share || can.delete)),
    actions: (
      <ActionButtons table={chosenSiteActions} row={{ stationIDs: [...chosen.keys] }} small onDone={chosen.clear} />
    ),
  };
}

/** All plants in scope. */
export function SiteListScreen(): ReactNode {
  const label = useRouteLabel();
  const plants = useList(list, { refreshMs: REFRESH_MS, seenAs: asMarked });
  const columns = useColumns(plants, shown);
  const selection = useChosenSites(plants.rows ?? []);
  return (
    <ListScreen
      title={label('plant-view')}
      list={plants}
      actions={
        <>
          <PlantViews />
          <ExportButton endpoint={exportList} list={plants} columns={columns} />
          <ActionButtons table={siteAdding} row={{}} look="filled" brief />
        </>
      }
      summary={<StateChips list={plants} countedBy={statusAll} refreshMs={REFRESH_MS} />}
      filters={<SiteFilters list={plants} />}
    >
      <PreliminaryOnPage rows={plants.rows ?? []} />
      <DataTable
        list={plants}
        columns={columns}
        actions={siteActions}
        {...(selection && { selection })}
        target={(row) => ({ to: 'plant-detail', query: { id: row.stationID } })}
      />
      <MarksOnPage rows={plants.rows ?? []} />
    </ListScreen>
  );
}
