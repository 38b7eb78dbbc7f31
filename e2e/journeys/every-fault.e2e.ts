import { type AlarmCause, alarmFactsOf } from '@sonnenwarte/contract/incidents/alarm-facts';
import { type IncidentRow, list as incidentList } from '@sonnenwarte/contract/incidents/incidents';
import { expect, test } from 'vitest';
import { type FaultName, faultKind, faultKinds, isFaultName } from '../../apps/simulator/src/faults.ts';
import { callApi } from '../support/api.ts';
import { portalUrl, sessionOf } from '../support/demo.ts';
import { simulatedPlant } from '../support/simulated-plant.ts';
import { waitUntil } from '../support/wait-until.ts';

/** What each fault comes from. Devices that are lost tell nothing more: theirs are the second round. */
const rounds: readonly Partial<Record<FaultName, AlarmCause>>[] = [
  {
    'grid-over-voltage': 'gridVoltageHigh',
    'grid-under-voltage': 'gridVoltageLow',
    'grid-over-frequency': 'gridFrequency',
    'string-open': 'looseConnector',
    'string-weak': 'moduleDefect',
    'insulation-low': 'dcCable',
    'arc-fault': 'looseConnector',
    'fan-failure': 'fanDefect',
    'over-temperature': 'blockedCooling',
    'internal-communication': 'internalLink',
    'cell-imbalance': 'rarelyFull',
    'battery-cold': 'coldPlace',
    'meter-ct-reversed': 'ctReversed',
    'pile-fault': 'chargerFault',
  },
  { 'grid-lost': 'gridOutage', 'bms-lost': 'dataCable', 'meter-lost': 'dataCable' },
];
/** Without grid and battery the inverter has less than the house needs. */
const OVERLOAD = 3008;
/** The portal finds it after an hour of it. */
const foundByPortal: readonly FaultName[] = ['weak-signal'];
const BEGAN_BEFORE_MS = 2 * 3_600_000;
/** An alarm ends when it has not been told for a minute. */
const END_WITHIN_MS = 150_000;
const PLANT = 'Plant of every fault';

/** All of the plant, those that others explain among them. */
async function incidentsOfPlant(): Promise<IncidentRow[]> {
  const { token } = await sessionOf('admin');
  const ask = async (condition: Record<string, string>) =>
    (await callApi(portalUrl(), incidentList, { condition: { view: 'all', ...condition }, pageSize: 50 }, token))
      .incidents;
  const own = await ask({ content: PLANT });
  const explained = await Promise.all(
    own.filter(({ children }) => children > 0).map(({ incidentID }) => ask({ causeID: incidentID })),
  );
  return [...own, ...explained.flat()];
}

test('each fault of the simulator leads to its alarm with what it comes from first among the causes, and the alarm is over after the fault', async () => {
  const telling = Object.keys(faultKinds).filter((name) => isFaultName(name) && faultKind(name).alarm !== undefined);
  expect([...rounds.flatMap((round) => Object.keys(round)), ...foundByPortal].toSorted()).toEqual(telling.toSorted());
  const { plant } = await simulatedPlant('lindenblick', '260000000000790', PLANT);
  const devices = plant.plant.loggers.flatMap((datalogger) => datalogger.devices);
  const codeOf = (name: string): number => (isFaultName(name) ? faultKind(name).alarm?.code : undefined) ?? 0;
  for (const round of rounds) {
    plant.faults.clear(Date.now());
    const names = Object.keys(round).filter(isFaultName);
    for (const name of names) {
      const { sn = '' } = devices.find(({ kind }) => kind === faultKind(name).target) ?? {};
      plant.faults.inject(sn, name, Date.now() - BEGAN_BEFORE_MS);
    }
    await waitUntil('the alarms of these faults', async () => {
      const codes = (await incidentsOfPlant()).map(({ code }) => code);
      return names.every((name) => codes.includes(codeOf(name)));
    });
    expect(Object.fromEntries(names.map((name) => [name, alarmFactsOf(codeOf(name)).causes[0]]))).toEqual(round);
  }
  plant.faults.clear(Date.now());
  const over = await waitUntil(
    'the end of all',
    async () => {
      const all = await incidentsOfPlant();
      return all.every(({ untilMs }) => untilMs !== null) && all;
    },
    { timeoutMs: END_WITHIN_MS, everyMs: 1_000 },
  );
  const codes = [...rounds.flatMap((round) => Object.keys(round).map(codeOf)), OVERLOAD];
  expect(over.map(({ code }) => code).toSorted()).toEqual(codes.toSorted());
});
