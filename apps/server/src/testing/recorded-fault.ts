import type { FaultRecord } from '@sonnenwarte/device-protocol/fault-records/fault-record';

/** A record of a grid over-voltage, 96 samples at 3.2 kHz. */
export function recordOf(more: Partial<FaultRecord> = {}): FaultRecord {
  const samples = (amplitude: number) =>
    Int16Array.from({ length: 96 }, (_, at) => Math.round(amplitude * Math.sin((2 * Math.PI * at) / 64)));
  return {
    index: 1,
    timeMs: Date.UTC(2026, 10, 10, 11, 0, 0, 250),
    code: 1001,
    trigger: { name: 'AC/L1/Voltage', value: 256.4, limit: 253 },
    rateHz: 3_200,
    before: 32,
    nominalHz: 50,
    registers: [
      { name: 'AC/L1/Voltage', value: 256.4, low: 184, high: 253 },
      { name: 'AC/Frequency', value: 50.01, low: 47.5, high: 50.2 },
      { name: 'State/GridRelay', value: true },
      { name: 'State/Run', value: 4 },
    ],
    channels: [
      { name: 'AC/L1/Voltage', unit: 'V', scale: 0.05, samples: samples(7_000) },
      { name: 'AC/L1/Current', unit: 'A', scale: 0.01, samples: samples(900) },
    ],
    ...more,
  };
}
