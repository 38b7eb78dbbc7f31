import {
  intervalsOf,
  moneyVariables,
  type PlantVariable,
  plantVariables,
  type ReportedThings,
  type ReportInterval,
} from '@sonnenwarte/contract/reports/report';
import { type AttachedKind, attachedKinds, type Point, pointByName } from '@sonnenwarte/device-protocol/points/points';
import type { Kysely } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { CallError } from '../http/call-error.ts';
import type { Database } from '../stores/schema.ts';
import type { ReportColumn, ReportHead } from './canonical.ts';
import { wayOf } from './gathered-values.ts';
import { type ReportedDevice, type ReportedPlant, reportedDevices, reportedPlants } from './things.store.ts';

/** What is told in words or by its bits is no number of a report. */
const notNumbers: readonly string[] = ['enum', 'bitfield', 'bool', 'text'];

export const isNumber = ({ unit }: Pick<Point, 'unit'>): boolean => !notNumbers.includes(unit);

/** A device or a plant, and what a report holds of it, in the order of the columns. */
export type AskedPart =
  | { readonly source: 'devices'; readonly device: ReportedDevice; readonly points: readonly Point[] }
  | { readonly source: 'plants'; readonly plant: ReportedPlant; readonly variables: readonly PlantVariable[] };

/** What was asked for, as far as it is in scope. */
export interface AskedReport {
  readonly head: ReportHead;
  readonly parts: readonly AskedPart[];
  /** Devices or plants that are not there, or not for whoever asks. */
  readonly missing: number;
}

interface NamedPoint {
  readonly kind: AttachedKind;
  readonly point: Point;
}

function namedPoint(variable: string): NamedPoint {
  const [kind = '', ...name] = variable.split(':');
  const attached = attachedKinds.find((each) => each === kind);
  const point = attached && pointByName(attached, name.join(':'));
  if (attached === undefined || point === undefined || !isNumber(point))
    throw new CallError('reportVariableUnknown', { variable });
  return { kind: attached, point };
}

function plantVariable(variable: string, interval: ReportInterval): PlantVariable {
  const known = plantVariables.find((each) => each === variable);
  if (known === undefined || (interval !== 'day' && moneyVariables.includes(known)))
    throw new CallError('reportVariableUnknown', { variable });
  return known;
}

/**
 * The devices or plants of a report that are in scope, with its columns. Where nothing is left, or one of them is gone and `allThere` is wanted, that is refused as
 * what does not exist.
 */
export async function askedReport(
  db: Kysely<Database>,
  scope: Scope,
  { source, deviceIDs, stationIDs, variables, interval }: ReportedThings,
  wanted: 'allThere' | 'whatIsLeft',
): Promise<AskedReport> {
  const asked = source === 'devices' ? await deviceParts() : await plantParts();
  const ids = source === 'devices' ? deviceIDs : stationIDs;
  const missing = ids.length - asked.found;
  if (asked.found === 0 || (missing > 0 && wanted === 'allThere'))
    throw new CallError(source === 'devices' ? 'deviceNotFound' : 'siteNotFound');
  if (!intervalsOf[source].includes(interval)) throw new CallError('reportIntervalUnfit');
  const { head, parts } = asked.make();
  return { head: { version: 1, source, ...head }, parts, missing };

  async function deviceParts() {
    const devices = await reportedDevices(db, scope, deviceIDs);
    return {
      found: devices.length,
      make: () => {
        const named = variables.map(namedPoint);
        const parts = devices.map(
          (device): Extract<AskedPart, { source: 'devices' }> => ({
            source: 'devices',
            device,
            points: named.filter(({ kind }) => kind === device.kind).map(({ point }) => point),
          }),
        );
        const columns = named.map(
          ({ kind, point }): ReportColumn => ({
            of: kind,
            variable: point.name,
            unit: point.unit,
            way: interval === 'raw' ? 'told' : wayOf(point),
          }),
        );
        return {
          head: {
            columns,
            parts: devices.map(({ sn, kind, siteName, timeZone }) => ({
              name: sn,
              plantName: siteName,
              timeZone,
              columns: named.flatMap((each, place) => (each.kind === kind ? [place] : [])),
            })),
          },
          parts,
        };
      },
    };
  }

  async function plantParts() {
    const plants = await reportedPlants(db, scope, stationIDs);
    return {
      found: plants.length,
      make: () => {
        const named = variables.map((variable) => plantVariable(variable, interval));
        // Amounts of two currencies do not stand in one column.
        const columns: ReportColumn[] = [];
        const placeOf = (variable: PlantVariable, unit: string): number => {
          const known = columns.findIndex((column) => column.variable === variable && column.unit === unit);
          return known >= 0 ? known : columns.push({ of: 'plant', variable, unit, way: 'sum' }) - 1;
        };
        const unitOf = (variable: PlantVariable, { currency }: ReportedPlant): string =>
          moneyVariables.includes(variable) ? currency : 'kWh';
        for (const variable of named) for (const plant of plants) placeOf(variable, unitOf(variable, plant));
        return {
          head: {
            columns,
            parts: plants.map((plant) => ({
              name: plant.name,
              plantName: plant.name,
              timeZone: plant.timeZone,
              columns: named.map((variable) => placeOf(variable, unitOf(variable, plant))),
            })),
          },
          parts: plants.map((plant) => ({ source: 'plants' as const, plant, variables: named })),
        };
      },
    };
  }
}
