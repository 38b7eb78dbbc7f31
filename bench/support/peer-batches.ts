import { columnOf } from '@sonnenwarte/device-protocol/points/points';
import { fillValues, points, VALUES } from '../load/series.ts';

export const BATCH = 1_000;

const fields = points.map(({ name }) => columnOf(name));
const values = new Float64Array(VALUES);

/** Samples of the ingest benchmark's devices as batches of line protocol, in the order of time. */
export class PeerBatches {
  readonly #devices: number;
  readonly #startMs: number;
  readonly #stepMs: number;
  readonly #timeFactor: string;
  #sample = 0;

  /** `timeDigits`: zeros behind the milliseconds, as the peer wants its times. */
  constructor(options: { devices: number; startMs: number; stepMs: number; timeDigits: string }) {
    this.#devices = options.devices;
    this.#startMs = options.startMs;
    this.#stepMs = options.stepMs;
    this.#timeFactor = options.timeDigits;
  }

  /** Time of the newest sample made so far. */
  get newestMs(): number {
    return this.#startMs + Math.floor(Math.max(0, this.#sample - 1) / this.#devices) * this.#stepMs;
  }

  next(): Buffer {
    const lines: string[] = [];
    for (let line = 0; line < BATCH; line += 1) {
      const device = this.#sample % this.#devices;
      const tsMs = this.#startMs + Math.floor(this.#sample / this.#devices) * this.#stepMs;
      this.#sample += 1;
      fillValues(device, tsMs, values);
      let text = `inverter,device=d${device} `;
      for (let index = 0; index < VALUES; index += 1) {
        text += `${index === 0 ? '' : ','}${fields[index]}=${values[index]}`;
      }
      lines.push(`${text} ${tsMs}${this.#timeFactor}`);
    }
    return Buffer.from(`${lines.join('\n')}\n`);
  }
}

/** Names of six variables for a day curve. */
export const curveFields: readonly string[] = [
  'AC/ActivePower',
  'DC/Power',
  'AC/L1/Voltage',
  'AC/L1/Current',
  'DC/Mppt1/Voltage',
  'DC/String1/Current',
].map(columnOf);
