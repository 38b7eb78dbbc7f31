import { READING_S } from './pile-events.ts';
import { listOf, toldOf } from './told-fields.ts';

export const ocppVersions = ['ocpp1.6', 'ocpp2.0.1'] as const;
export type OcppVersion = (typeof ocppVersions)[number];

/** Makes a call to a pile; rejects where it refuses it, cannot do it or does not answer. */
export type CallPile = (method: string, params: object) => Promise<unknown>;

/** What a vehicle may draw from now on. */
export interface Offer {
  readonly currentA: number;
  /** Phases, where the pile can have one or three. */
  readonly phases: 1 | 3;
  readonly tellsPhases: boolean;
  /** Without another word it draws nothing any more after so many seconds: the portal may be cut off. */
  readonly lastsS: number | undefined;
}

/** What the portal asks of a pile, in the words of the version that it speaks. False: it does not do it. */
export interface PileDriver {
  configure(): Promise<void>;
  start(connector: number): Promise<boolean>;
  stop(transaction: string): Promise<boolean>;
  limit(offer: Offer, connector: number, transaction: string | undefined): Promise<boolean>;
}

/** As whom the portal starts. */
const TOKEN = 'portal';
const PROFILE_ID = 1;
const VOLTAGE_V = 230;
const MEASURANDS = [
  'Energy.Active.Import.Register,Power.Active.Import,Current.Import,Voltage,Current.Offered,SoC',
  'Energy.Active.Import.Register,Power.Active.Import,Current.Import,Voltage',
  'Energy.Active.Import.Register,Power.Active.Import',
];

const isAccepted = (answer: unknown): boolean => toldOf(answer).status === 'Accepted';

/** What a pile refuses or does not know is no failure: it is asked for less. */
const asked = (call: CallPile, method: string, params: object): Promise<boolean> =>
  call(method, params).then(isAccepted, () => false);

function periodsOf({ currentA, phases, tellsPhases, lastsS }: Offer, unit: 'A' | 'W') {
  const limit = unit === 'A' ? currentA : Math.round(currentA * VOLTAGE_V * phases);
  const first = { startPeriod: 0, limit, ...(tellsPhases && { numberPhases: phases }) };
  return lastsS === undefined || limit === 0 ? [first] : [first, { startPeriod: lastsS, limit: 0 }];
}

export function driverOf(version: OcppVersion, call: CallPile, now: () => Date): PileDriver {
  return version === 'ocpp1.6' ? driver16(call, now) : driver201(call, now);
}

function driver16(call: CallPile, now: () => Date): PileDriver {
  let unit: 'A' | 'W' = 'A';
  const profile = (offer: Offer, purpose: object) => ({
    chargingProfileId: PROFILE_ID,
    stackLevel: 0,
    chargingProfileKind: 'Absolute',
    chargingSchedule: {
      startSchedule: now().toISOString(),
      chargingRateUnit: unit,
      chargingSchedulePeriod: periodsOf(offer, unit),
    },
    ...purpose,
  });
  return {
    async configure() {
      const key = 'ChargingScheduleAllowedChargingRateUnit';
      const told = await call('GetConfiguration', { key: [key] }).catch(() => undefined);
      const allowed = listOf(toldOf(told).configurationKey).find((each) => each.key === key)?.value;
      if (typeof allowed === 'string' && /power/i.test(allowed) && !/current/i.test(allowed)) unit = 'W';
      const set = (name: string, value: string) => asked(call, 'ChangeConfiguration', { key: name, value });
      await set('MeterValueSampleInterval', String(READING_S));
      for (const measurands of MEASURANDS) if (await set('MeterValuesSampledData', measurands)) break;
      await asked(call, 'TriggerMessage', { requestedMessage: 'StatusNotification' });
    },
    start: (connectorId) => asked(call, 'RemoteStartTransaction', { connectorId, idTag: TOKEN }),
    stop: (transaction) => asked(call, 'RemoteStopTransaction', { transactionId: Number(transaction) }),
    async limit(offer, connectorId, transaction) {
      const set = (purpose: object) =>
        asked(call, 'SetChargingProfile', { connectorId, csChargingProfiles: profile(offer, purpose) });
      if (await set({ chargingProfilePurpose: 'TxDefaultProfile' })) return true;
      if (transaction === undefined) return false;
      return set({ chargingProfilePurpose: 'TxProfile', transactionId: Number(transaction) });
    },
  };
}

function driver201(call: CallPile, now: () => Date): PileDriver {
  let starts = 0;
  const profile = (offer: Offer, purpose: object) => ({
    id: PROFILE_ID,
    stackLevel: 0,
    chargingProfileKind: 'Absolute',
    chargingSchedule: [
      {
        id: 1,
        startSchedule: now().toISOString(),
        chargingRateUnit: 'A',
        chargingSchedulePeriod: periodsOf(offer, 'A'),
      },
    ],
    ...purpose,
  });
  return {
    async configure() {
      const variable = (name: string, attributeValue: string) => ({
        component: { name: 'SampledDataCtrlr' },
        variable: { name },
        attributeValue,
      });
      await call('SetVariables', {
        setVariableData: [
          variable('TxUpdatedInterval', String(READING_S)),
          variable('TxUpdatedMeasurands', MEASURANDS[1] ?? ''),
        ],
      }).catch(() => undefined);
      await asked(call, 'TriggerMessage', { requestedMessage: 'StatusNotification', evse: { id: 1, connectorId: 1 } });
    },
    start(evseId) {
      starts += 1;
      const remoteStartId = starts;
      return asked(call, 'RequestStartTransaction', {
        evseId,
        remoteStartId,
        idToken: { idToken: TOKEN, type: 'Central' },
      });
    },
    stop: (transactionId) => asked(call, 'RequestStopTransaction', { transactionId }),
    async limit(offer, evseId, transactionId) {
      const set = (purpose: object) =>
        asked(call, 'SetChargingProfile', { evseId, chargingProfile: profile(offer, purpose) });
      if (await set({ chargingProfilePurpose: 'TxDefaultProfile' })) return true;
      return transactionId !== undefined && set({ chargingProfilePurpose: 'TxProfile', transactionId });
    },
  };
}
