import { bdSeqOf } from '@sonnenwarte/device-protocol/points/births';
import { type DeviceKind, isDeviceKind } from '@sonnenwarte/device-protocol/points/points';
import type { SparkplugPayload } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import type { DataloggerEntry, DeviceEntry } from '../registry/plant-model.ts';
import type { Sample } from '../samples/sample.ts';
import { MetricBindings } from './bindings.ts';
import { answersCommands } from './command-hooks.ts';
import { readDataloggerProperties, readDeviceProperties, readReportInterval, textOf } from './properties.ts';
import type { Tally } from './refusals.ts';

/** The kind of device that a birth tells. */
export function toldKind(payload: SparkplugPayload, tally: Tally): DeviceKind | undefined {
  const told = textOf(payload.metrics, 'Properties/Kind');
  if (told === undefined) return undefined;
  if (isDeviceKind(told) && told !== 'logger') return told;
  tally.note('bad-kind', told);
  return undefined;
}

/** Takes the names and aliases of a birth. */
export function declare(device: DeviceEntry, payload: SparkplugPayload, tally: Tally): void {
  device.bindings?.release();
  device.bindings = new MetricBindings(device.layout, payload.metrics, device.datalogger.held);
  if (!device.bindings.hasRoom) tally.note('too-many-names', device.sn);
}

/** Takes what an NBIRTH says of the datalogger; says whether it was away before. */
export function beginSession(
  datalogger: DataloggerEntry,
  payload: SparkplugPayload,
  connection: number,
  nowMs: number,
): boolean {
  const isBack = !datalogger.online || datalogger.connection !== connection;
  if (isBack) datalogger.sessionMs = nowMs;
  datalogger.online = true;
  datalogger.isJson = false;
  datalogger.bornMs = nowMs;
  datalogger.connection = connection;
  datalogger.bdSeq = bdSeqOf(payload);
  datalogger.self.speaks = answersCommands(payload.metrics) ? 'commands' : 'plain';
  // Its devices have still to tell that they are there.
  if (isBack) for (const device of datalogger.devices.values()) device.speaks = undefined;
  datalogger.properties = { ...datalogger.properties, ...readDataloggerProperties(payload.metrics) };
  datalogger.reportIntervalS = readReportInterval(payload.metrics) ?? datalogger.reportIntervalS;
  return isBack;
}

/** Takes what a DBIRTH says of the device; says whether it was away before. */
export function beginDevice(device: DeviceEntry, { metrics }: SparkplugPayload): boolean {
  const isBack = !device.online || device.speaks === undefined;
  device.properties = { ...device.properties, ...readDeviceProperties(metrics) };
  if (device.properties.role !== undefined) device.role = device.properties.role;
  device.speaks = device.datalogger.self.speaks === 'commands' || answersCommands(metrics) ? 'commands' : 'plain';
  device.online = true;
  return isBack;
}

/**
 * The moment of which a device told something, ms; 0 where all of it is history. Data that is not called so is of now; a birth may
 * repeat what was measured long ago under its own time.
 */
export function toldOfMs(
  { metrics }: SparkplugPayload,
  samples: readonly Sample[],
  nowMs: number,
  isBirth: boolean,
): number {
  if (metrics.length > 0 && metrics.every(({ isHistorical }) => isHistorical === true)) return 0;
  const live = isBirth ? samples.filter(({ historical }) => !historical) : [];
  return live.length === 0 ? nowMs : Math.min(nowMs, Math.max(...live.map(({ tsMs }) => tsMs)));
}
