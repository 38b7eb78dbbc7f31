import type { Answer, FirmwareState, PileEvent, PileStatus, ReadCall } from './pile-events.ts';
import { HEARTBEAT_S } from './pile-events.ts';
import { meterValuesOf } from './sampled-values.ts';
import { connectorOf, knownTimeOf, meantBy, registerOf, type Told, textOf, timeOf, wholeOf } from './told-fields.ts';

const states: Readonly<Record<string, PileStatus>> = {
  Available: 'available',
  Preparing: 'preparing',
  Charging: 'charging',
  SuspendedEVSE: 'suspendedEvse',
  SuspendedEV: 'suspendedEv',
  Finishing: 'finishing',
  Reserved: 'reserved',
  Unavailable: 'unavailable',
  Faulted: 'faulted',
  // Of OCPP 1.5, which some still send.
  Occupied: 'preparing',
};

const firmware: Readonly<Record<string, FirmwareState>> = {
  Idle: 'idle',
  Downloading: 'downloading',
  Downloaded: 'downloaded',
  DownloadFailed: 'failed',
  Installing: 'installing',
  Installed: 'installed',
  InstallationFailed: 'failed',
};

const accepted = { idTagInfo: { status: 'Accepted' } };

const reading = (
  events: readonly PileEvent[],
  answer: (now: Date, transaction?: string) => Answer = () => ({}),
): ReadCall => ({
  events,
  answer,
});

/** A transaction of which the number never reached the pile is called -1 or 0 by it. */
const transactionOf = (value: unknown): string | undefined => {
  const number = wholeOf(value, 0);
  return number > 0 ? String(number) : undefined;
};

/** What a call of OCPP 1.6J tells; undefined for one that is none of those that a pile makes. */
export function readCall16(method: string, told: Told, nowMs: number): ReadCall | undefined {
  const connector = connectorOf(told.connectorId);
  switch (method) {
    case 'BootNotification':
      return reading(
        [
          {
            kind: 'boot',
            vendor: textOf(told.chargePointVendor, 64),
            model: textOf(told.chargePointModel, 64),
            firmware: textOf(told.firmwareVersion, 64),
          },
        ],
        (now) => ({ status: 'Accepted', currentTime: now.toISOString(), interval: HEARTBEAT_S }),
      );
    case 'Heartbeat':
      return reading([{ kind: 'heartbeat' }], (now) => ({ currentTime: now.toISOString() }));
    case 'StatusNotification': {
      const status = meantBy(states, told.status);
      const errorCode = textOf(told.errorCode, 64);
      return reading(status === undefined ? [] : [{ kind: 'status', connector, status, errorCode }]);
    }
    case 'Authorize':
      return reading([], () => accepted);
    case 'MeterValues': {
      const readings = meterValuesOf(told.meterValue, nowMs);
      const transaction = transactionOf(told.transactionId);
      if (transaction === undefined) return reading([{ kind: 'readings', connector, readings }]);
      return reading([{ kind: 'transaction', part: { transaction, isNumberedHere: true, connector, readings } }]);
    }
    case 'StartTransaction': {
      const knownMs = knownTimeOf(told.timestamp, nowMs);
      const [tsMs, isUndated] = [knownMs ?? nowMs, knownMs === undefined];
      return reading(
        [{ kind: 'begin', connector, tsMs, isUndated, wh: registerOf(told.meterStart) }],
        (_, transaction) => ({
          ...accepted,
          transactionId: Number(transaction),
        }),
      );
    }
    case 'StopTransaction': {
      const tsMs = timeOf(told.timestamp, nowMs);
      const part = {
        transaction: transactionOf(told.transactionId),
        isNumberedHere: true,
        connector: 0,
        ended: { tsMs, wh: registerOf(told.meterStop), reason: textOf(told.reason, 32) || 'Local' },
        readings: meterValuesOf(told.transactionData, nowMs),
      };
      return reading([{ kind: 'transaction', part }], () => accepted);
    }
    case 'FirmwareStatusNotification': {
      const state = meantBy(firmware, told.status);
      return reading(state === undefined ? [] : [{ kind: 'firmware', state }]);
    }
    case 'DiagnosticsStatusNotification':
    case 'SecurityEventNotification':
    case 'SignedFirmwareStatusNotification':
    case 'LogStatusNotification':
      return reading([]);
    case 'DataTransfer':
      return reading([], () => ({ status: 'UnknownVendorId' }));
    default:
      return undefined;
  }
}
