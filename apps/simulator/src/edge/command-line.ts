import type { SparkplugMetric, SparkplugPayload } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import type { FaultBoard, FaultName } from '../faults.ts';
import type { DeviceSlot } from './device-slot.ts';
import { pause, type Schedule } from './pause.ts';

const SLOW_MS = 20_000;
/** Between the parts of a fault record: five messages a second. */
const PART_PACE_MS = 200;

export interface CommandLineOptions {
  readonly schedule: Schedule;
  readonly signal: AbortSignal;
  has(sn: string, fault: FaultName): boolean;
  answer(slot: DeviceSlot, metrics: SparkplugMetric[], nowMs: number): unknown;
  reboot(slot: DeviceSlot): unknown;
}

/** Settings that devices are told to change by themselves are others now. */
export function drift(faults: FaultBoard, slots: readonly DeviceSlot[], nowMs: number): void {
  for (const slot of slots) {
    const fault = faults.find(slot.device.sn, 'setting-drift', nowMs);
    if (fault === undefined) continue;
    slot.drift(fault.setting ?? 'Setting/ExportLimit');
    faults.clear(nowMs, slot.device.sn, 'setting-drift');
  }
}

/** Commands to the devices of a logger, and how their answers get lost, late or doubled on request. */
export class CommandLine {
  readonly #options: CommandLineOptions;

  constructor(options: CommandLineOptions) {
    this.#options = options;
  }

  hear(slot: DeviceSlot, payload: SparkplugPayload, nowMs: number): void {
    const { schedule, signal, has, answer, reboot } = this.#options;
    const metrics = slot.commands.answer(payload, nowMs);
    const isAsked = slot.takeReboot();
    if (metrics !== undefined) {
      const isCut = has(slot.device.sn, 'command-reboot') && slot.commands.isNew;
      if (isCut) {
        reboot(slot);
        return;
      }
      if (!has(slot.device.sn, 'command-lost')) {
        const tell = () => answer(slot, metrics, nowMs);
        if (has(slot.device.sn, 'command-slow')) void pause(schedule, SLOW_MS, signal).then(tell);
        else tell();
        if (has(slot.device.sn, 'command-twice')) tell();
      }
      void this.#tellParts(slot, slot.takeParts());
    }
    if (isAsked) reboot(slot);
  }

  /** The parts of a fault record, one after the other. */
  async #tellParts(slot: DeviceSlot, parts: readonly SparkplugMetric[][]): Promise<void> {
    const { schedule, signal, has, answer } = this.#options;
    if (parts.length > 0 && has(slot.device.sn, 'record-late')) await pause(schedule, SLOW_MS, signal);
    for (const part of parts) {
      await pause(schedule, PART_PACE_MS, signal);
      if (!signal.aborted) answer(slot, part, schedule.now());
    }
  }
}
