import type { Answer, FirmwareState, PileEvent, PileStatus, ReadCall, TransactionPart } from './pile-events.ts';
import { HEARTBEAT_S } from './pile-events.ts';
import { meterValuesOf } from './sampled-values.ts';
import { connectorOf, meantBy, type Told, textOf, timeOf, toldOf } from './told-fields.ts';

const connectors: Readonly<Record<string, PileStatus>> = {
  Available: 'available',
  Occupied: 'preparing',
  Reserved: 'reserved',
  Unavailable: 'unavailable',
  Faulted: 'faulted',
};

const charging: Readonly<Record<string, PileStatus>> = {
  Charging: 'charging',
  EVConnected: 'preparing',
  SuspendedEV: 'suspendedEv',
  SuspendedEVSE: 'suspendedEvse',
  Idle: 'available',
};

const firmware: Readonly<Record<string, FirmwareState>> = {
  Idle: 'idle',
  Downloading: 'downloading',
  DownloadScheduled: 'downloading',
  DownloadPaused: 'downloading',
  Downloaded: 'downloaded',
  SignatureVerified: 'downloaded',
  DownloadFailed: 'failed',
  InvalidSignature: 'failed',
  InstallScheduled: 'installing',
  InstallRebooting: 'installing',
  Installing: 'installing',
  InstallationFailed: 'failed',
  InstallVerificationFailed: 'failed',
  Installed: 'installed',
};

/** Calls that tell nothing that is kept, and are answered with nothing. */
const heard: ReadonlySet<string> = new Set([
  'NotifyEvent',
  'NotifyReport',
  'NotifyMonitoringReport',
  'NotifyChargingLimit',
  'NotifyEVChargingNeeds',
  'NotifyEVChargingSchedule',
  'NotifyDisplayMessages',
  'NotifyCustomerInformation',
  'ReportChargingProfiles',
  'ClearedChargingLimit',
  'ReservationStatusUpdate',
  'PublishFirmwareStatusNotification',
  'LogStatusNotification',
  'SecurityEventNotification',
]);

const reading = (events: readonly PileEvent[], answer: (now: Date) => Answer = () => ({})): ReadCall => ({
  events,
  answer,
});

/** What a call of OCPP 2.0.1 tells; undefined for one that is none of those that a pile makes. */
export function readCall201(method: string, told: Told, nowMs: number): ReadCall | undefined {
  switch (method) {
    case 'BootNotification': {
      const station = toldOf(told.chargingStation);
      return reading(
        [
          {
            kind: 'boot',
            vendor: textOf(station.vendorName, 64),
            model: textOf(station.model, 64),
            firmware: textOf(station.firmwareVersion, 64),
          },
        ],
        (now) => ({ status: 'Accepted', currentTime: now.toISOString(), interval: HEARTBEAT_S }),
      );
    }
    case 'Heartbeat':
      return reading([{ kind: 'heartbeat' }], (now) => ({ currentTime: now.toISOString() }));
    case 'StatusNotification': {
      const status = meantBy(connectors, told.connectorStatus);
      const connector = connectorOf(told.evseId);
      return reading(
        status === undefined
          ? []
          : [{ kind: 'status', connector, status, errorCode: status === 'faulted' ? 'OtherError' : 'NoError' }],
      );
    }
    case 'Authorize':
      return reading([], () => ({ idTokenInfo: { status: 'Accepted' } }));
    case 'MeterValues':
      return reading([
        {
          kind: 'readings',
          connector: connectorOf(told.evseId),
          readings: meterValuesOf(told.meterValue, nowMs),
        },
      ]);
    case 'TransactionEvent':
      return transactionEvent(told, nowMs);
    case 'FirmwareStatusNotification': {
      const state = meantBy(firmware, told.status);
      return reading(state === undefined ? [] : [{ kind: 'firmware', state }]);
    }
    case 'DataTransfer':
      return reading([], () => ({ status: 'UnknownVendorId' }));
    default:
      return heard.has(method) ? reading([]) : undefined;
  }
}

function transactionEvent(told: Told, nowMs: number): ReadCall {
  const info = toldOf(told.transactionInfo);
  const transaction = textOf(info.transactionId, 36);
  const tsMs = timeOf(told.timestamp, nowMs);
  // Only some events of a transaction name its EVSE.
  const connector = connectorOf(toldOf(told.evse).id, 0);
  const readings = meterValuesOf(told.meterValue, nowMs);
  const part: TransactionPart = {
    transaction: transaction === '' ? undefined : transaction,
    connector,
    readings,
    ...(told.eventType === 'Started' && { began: { tsMs, wh: readings[0]?.energyWh } }),
    ...(told.eventType === 'Ended' && {
      ended: { tsMs, wh: readings.at(-1)?.energyWh, reason: textOf(info.stoppedReason, 32) || 'Local' },
    }),
  };
  const status = told.eventType === 'Ended' ? undefined : meantBy(charging, info.chargingState);
  return reading(
    [
      { kind: 'transaction', part },
      // What was told while it was not connected says nothing of now.
      ...(status === undefined || told.offline === true
        ? []
        : [{ kind: 'status' as const, connector, status, errorCode: 'NoError', ofTransaction: true }]),
    ],
    () => (told.idToken === undefined ? {} : { idTokenInfo: { status: 'Accepted' } }),
  );
}
