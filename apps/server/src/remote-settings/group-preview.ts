import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { groupEndpoints, PreviewRow } from '@sonnenwarte/contract/remote-settings/group-remote';
import { commonRules, settingRule } from '@sonnenwarte/device-protocol/settings/setting-rules';
import type { Scope } from '../access/scope.ts';
import { CallError } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import { partsOf } from '../in-slices.ts';
import type { Uses } from '../services.ts';
import {
  changing,
  type Ground,
  holdOnce,
  isDangerous,
  type Obstacle,
  obstacleTo,
  type WantedValue,
} from './checked-values.ts';
import { aboveLimit, feedInPrices } from './curtailment.store.ts';
import { groundsOf } from './grounds.ts';
import { toldRule } from './setting-rows.ts';
import { beingWritten } from './settings.store.ts';
import { type Subject, subjectsBySn, subjectsOf } from './subjects.store.ts';

type Calls = typeof groupEndpoints;
type Stores = Uses<'db' | 'telemetry' | 'nowMs'>;

/** Devices whose last 30 days are reckoned for a preview; of those beyond it is not known. */
const MOST_RECKONED = 300;
const RECKONED_AT_ONCE = 50;
const WH_OF_KWH = 1_000;

/** All of the devices; one that is not in scope is missing. */
export async function devicesInScope(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  scope: Scope,
  ids: readonly string[],
): Promise<Subject[]> {
  const wanted = [...new Set(ids)];
  const found = new Map((await subjectsOf(db, scope, wanted, nowMs())).map((subject) => [subject.id, subject]));
  return wanted.map((id) => {
    const subject = found.get(id);
    if (subject === undefined) throw new CallError('deviceNotFound');
    return subject;
  });
}

/** Devices by serial numbers, in the order in which they were named. */
export async function findGroupDevices(
  { db, nowMs }: Stores,
  { kind, sns }: Parsed<Calls['findDevices']>,
  { scope }: CallContext,
): Promise<Result<Calls['findDevices']>> {
  const wanted = [...new Set(sns.map((sn) => sn.trim()).filter((sn) => sn !== ''))];
  const bySn = new Map((await subjectsBySn(db, scope, kind, wanted, nowMs())).map((subject) => [subject.sn, subject]));
  return {
    found: wanted.flatMap((sn) => {
      const subject = bySn.get(sn);
      return subject === undefined
        ? []
        : { deviceID: subject.id, deviceSN: subject.sn, model: subject.model, stationName: subject.siteName };
    }),
    missing: wanted.filter((sn) => !bySn.has(sn)),
  };
}

/** Settings in common that the caller may write. */
export async function groupRules(
  stores: Stores,
  { deviceIDs }: Parsed<Calls['rules']>,
  { scope, actor }: CallContext,
): Promise<Result<Calls['rules']>> {
  const subjects = await devicesInScope(stores, scope, deviceIDs);
  const rules = commonRules(subjects).filter(({ levels }) => levels.includes(actor.level));
  return { rules: rules.map(toldRule), devices: subjects.length };
}

/** What would happen to each device. */
export async function previewGroup(
  stores: Stores,
  { deviceIDs, values }: Parsed<Calls['preview']>,
  { scope, actor }: CallContext,
): Promise<Result<Calls['preview']>> {
  holdOnce(values);
  const { db } = stores;
  const subjects = await devicesInScope(stores, scope, deviceIDs);
  const names = values.map(({ name }) => name);
  const ids = subjects.map(({ id }) => id);
  const [grounds, busy] = await Promise.all([
    groundsOf(db, subjects, names, actor.level),
    beingWritten(db, ids, names),
  ]);
  const costs = await costsOf(stores, scope, subjects, values);
  const rows = subjects.map((subject): PreviewRow => {
    const ground = grounds.get(subject.id) ?? { rules: [], stored: new Map(), level: actor.level };
    const obstacle = obstacleIn(values, ground, busy.has(subject.id));
    const cost = obstacle === null ? costs.get(subject.id) : undefined;
    return {
      deviceID: subject.id,
      deviceSN: subject.sn,
      model: subject.model,
      stationName: subject.siteName,
      online: subject.state !== 'offline',
      values: values.map(({ name, value }) => ({ name, from: ground.stored.get(name)?.reported ?? null, to: value })),
      costWhPerDay: cost?.wh ?? null,
      costPerDay: cost?.money ?? null,
      currency: cost?.currency ?? '',
      obstacle,
    };
  });
  return { rows, isDangerous: isDangerousFor(subjects, values) };
}

/** Whether one of the values can trip the grid protection or stop a plant. */
export const isDangerousFor = (subjects: readonly Pick<Subject, 'kind'>[], values: readonly WantedValue[]): boolean => {
  const kinds = new Set(subjects.map(({ kind }) => kind));
  return [...kinds].some((kind) => {
    const rules = values.flatMap(({ name }) => settingRule({ kind, model: '', firmware: '' }, name) ?? []);
    return isDangerous(values, rules);
  });
};

function obstacleIn(values: readonly WantedValue[], ground: Ground, isBusy: boolean): PreviewRow['obstacle'] {
  const obstacle = obstacleTo(values, ground);
  if (obstacle !== undefined) return { why: obstacle.why, name: obstacle.name, detail: detailOf(obstacle) };
  if (changing(values, ground.stored).length === 0) return { why: 'sameValue', name: null, detail: '' };
  return isBusy ? { why: 'openCommand', name: null, detail: '' } : null;
}

/** The bound that is exceeded, or the setting that blocks. */
function detailOf({ problem, blocker }: Obstacle): string {
  if (blocker !== undefined) return blocker.name;
  return problem?.bound === undefined ? (problem?.reason ?? '') : String(problem.bound);
}

interface Cost {
  readonly wh: number;
  readonly money: number | null;
  readonly currency: string;
}

const numberOf = (values: readonly WantedValue[], name: string): number | undefined => {
  const value = values.find((each) => each.name === name)?.value;
  return typeof value === 'number' ? value : undefined;
};

/** What a limit would have cut off a day, of the last 30 days of the plant or device itself. */
async function costsOf(
  { db, telemetry, nowMs }: Stores,
  scope: Scope,
  subjects: readonly Subject[],
  values: readonly WantedValue[],
): Promise<Map<string, Cost>> {
  const exportW = numberOf(values, 'Setting/ExportLimit');
  const percent = numberOf(values, 'Setting/ActivePowerLimit');
  if (exportW === undefined && percent === undefined) return new Map();
  const reckoned = subjects.slice(0, MOST_RECKONED);
  const siteIds = [...new Set(reckoned.flatMap(({ siteId }) => siteId ?? []))];
  const prices = await feedInPrices(db, scope, siteIds, nowMs());
  const costs = new Map<string, Cost>();
  for (const part of partsOf(reckoned, RECKONED_AT_ONCE)) {
    const [bySite, byDevice] = await Promise.all([
      aboveLimit(telemetry, 'site', exportLimits(part, exportW), nowMs()),
      aboveLimit(telemetry, 'device', powerLimits(part, percent), nowMs()),
    ]);
    for (const { id, siteKey, siteId, deviceKey } of part) {
      const cut = [bySite.get(siteKey ?? -1), byDevice.get(deviceKey ?? -1)].filter((each) => each !== undefined);
      const price = siteId === null ? undefined : prices.get(siteId);
      if (cut.length === 0 || price === undefined) continue;
      const wh = Math.round(Math.max(...cut));
      const money = price.price === null ? null : Math.round((wh / WH_OF_KWH) * price.price * 100) / 100;
      costs.set(id, { wh, money, currency: price.currency });
    }
  }
  return costs;
}

const exportLimits = (subjects: readonly Subject[], limitW: number | undefined): Map<number, number> =>
  limitW === undefined
    ? new Map()
    : new Map(subjects.flatMap(({ siteKey }) => (siteKey === null ? [] : [[siteKey, limitW]])));

const powerLimits = (subjects: readonly Subject[], percent: number | undefined): Map<number, number> =>
  new Map(
    subjects.flatMap(({ deviceKey, ratedPowerW }) =>
      percent === undefined || ratedPowerW === null || deviceKey === null
        ? []
        : [[deviceKey, (ratedPowerW * percent) / 100]],
    ),
  );
