import { gridLimit } from '@sonnenwarte/contract/ems/ems';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { read } from '../client/queries.ts';
import { DispatchPanel } from './dispatch-panel.tsx';
import { GridUnits } from './grid-units.tsx';

const REFRESH_MS = 10_000;

/** What is controlled at the grid connection of a plant, unit by unit, and what was told when and why: for the details of an EMS unit. */
export function EmsOfPlant({ stationID }: { stationID: string }): ReactNode {
  const { data } = useQuery({ ...read(gridLimit, { stationID }, { quiet: true }), refetchInterval: REFRESH_MS });
  if (!data) return null;
  return (
    <>
      {data.units.length > 0 && <GridUnits grid={data} />}
      <DispatchPanel
        stationID={stationID}
        zone={data.ianaTimezone}
        hasBatteries={data.units.some(({ battery }) => battery !== null)}
      />
    </>
  );
}
