import { devicesToPlot } from '@sonnenwarte/contract/analysis/analysis';
import { variables } from '@sonnenwarte/contract/devices/devices';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { read } from '../client/queries.ts';
import type { Query } from '../router/query.ts';
import { useTab, useTabQuery } from '../tabs/tab-context.ts';
import { type CurveName, plottedOf, queryOfPlotted } from './address.ts';

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** What is looked at first, by the kind of device. */
const preferred: Readonly<Record<string, readonly string[]>> = {
  inverter: ['AC/ActivePower', 'DC/Power', 'AC/L1/Voltage', 'Temp/Heatsink'],
  battery: ['Bat/Power', 'Bat/Soc', 'Bat/Temperature'],
  meter: ['Meter/ActivePower', 'Meter/L1/Voltage'],
  station: ['Env/Irradiance', 'Env/ModuleTemp'],
  pile: ['Pile/Power'],
};
const all = Object.values(preferred).flat();
/** Of a plant: so many of its devices, each with what matters most of it. */
const OF_PLANT: Readonly<Record<string, { readonly most: number; readonly variables: readonly string[] }>> = {
  inverter: { most: 3, variables: ['AC/ActivePower'] },
  meter: { most: 1, variables: ['Meter/ActivePower'] },
  battery: { most: 2, variables: ['Bat/Soc'] },
};
const notPlotted: readonly string[] = ['enum', 'bitfield', 'bool', 'text'];

const named = (query: Query, ...names: readonly string[]): string | undefined =>
  names.map((name) => query[name] ?? '').find((value) => uuid.test(value));

/** What to plot first where the address names a device or a plant and no curves: it becomes the address. Tells whether that is still being found out. */
export function useFirstCurves(): boolean {
  const [query, setQuery] = useTabQuery();
  const { active } = useTab();
  const plotted = useMemo(() => plottedOf(query), [query]);
  const isEmpty = plotted.curves.length === 0;
  const deviceID = named(query, 'deviceID', 'id');
  const stationID = named(query, 'stationID');
  const ofDevice = useQuery({
    ...read(variables, { deviceID: deviceID ?? '' }),
    enabled: isEmpty && deviceID !== undefined,
  });
  const ofPlant = useQuery({
    ...read(devicesToPlot, stationID === undefined ? {} : { stationID }),
    enabled: isEmpty && deviceID === undefined && stationID !== undefined,
  });

  const known = (ofDevice.data?.variables ?? []).filter(({ unit }) => !notPlotted.includes(unit));
  const wanted = all.filter((name) => known.some(({ variable }) => variable === name));
  const first = wanted.length > 0 ? wanted : known.slice(0, 1).map(({ variable }) => variable);
  const curves: readonly CurveName[] = !isEmpty
    ? []
    : deviceID !== undefined
      ? first.map((variable) => ({ deviceID, variable }))
      : Object.entries(OF_PLANT).flatMap(([kind, { most, variables: names }]) =>
          (ofPlant.data?.choices ?? [])
            .filter((device) => device.kind === kind)
            .slice(0, most)
            .flatMap(({ id }) => names.map((variable) => ({ deviceID: id, variable }))),
        );
  const found = curves.map((curve) => `${curve.deviceID} ${curve.variable}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was found stands for the curves
  useEffect(() => {
    if (active && found !== '') setQuery(queryOfPlotted({ ...plotted, curves }));
  }, [active, found]);
  return isEmpty && (ofDevice.isLoading || ofPlant.isLoading || found !== '');
}
