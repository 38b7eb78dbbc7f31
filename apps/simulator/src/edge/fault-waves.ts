import type { RecordChannel, RecordTrigger } from '@sonnenwarte/device-protocol/fault-records/fault-record';

export const WAVE_RATE_HZ = 3_200;
export const WAVE_BEFORE = 320;
const WAVE_SAMPLES = 960;
const TURN = 2 * Math.PI;
const SCALES: Readonly<Record<string, number>> = { V: 0.05, A: 0.01, mA: 0.1, Hz: 0.005 };

/** What the inverter was in when its fault began. */
export interface WaveState {
  readonly code: number;
  readonly phases: number;
  readonly nominalV: number;
  readonly nominalHz: number;
  /** Of each phase, before. */
  readonly currentA: number;
  readonly busV: number;
  readonly leakageMa: number;
  readonly trigger: RecordTrigger | undefined;
  readonly seed: number;
}

/** Quantities at a time after the beginning of the fault: RMS on the AC side. */
interface Course {
  readonly voltageV: number;
  readonly frequencyHz: number;
  readonly currentA: number;
  readonly busV: number;
  readonly leakageMa: number;
  /** Broadband part of the current, as a share of it. */
  readonly roughness: number;
}

const ramp = (ms: number, fromMs: number, toMs: number): number =>
  Math.min(1, Math.max(0, (ms - fromMs) / (toMs - fromMs)));
const off = (ms: number, atMs: number): number => 1 - ramp(ms, atMs, atMs + 4);

/** How the quantities move around a fault of a kind; its trigger is met at 0 ms. */
function courseOf(state: WaveState, ms: number): Course {
  const { nominalV, nominalHz, currentA, busV, leakageMa, trigger } = state;
  const steady: Course = { voltageV: nominalV, frequencyHz: nominalHz, currentA, busV, leakageMa, roughness: 0.01 };
  const reached = trigger?.value ?? 0;
  switch (state.code) {
    case 1001:
      return {
        ...steady,
        voltageV: nominalV + (reached - nominalV) * ramp(ms, -12, 4),
        currentA: currentA * off(ms, 60),
        busV: busV * (1 + 0.06 * ramp(ms, 60, 75)),
      };
    case 1002: {
      const voltageV = nominalV + (reached - nominalV) * ramp(ms, -8, 3);
      // It holds its power until it gives up.
      return { ...steady, voltageV, currentA: currentA * (nominalV / voltageV) * off(ms, 80) };
    }
    case 1003:
    case 1004: {
      const frequencyHz = nominalHz + (reached - nominalHz) * ramp(ms, -90, 30);
      return { ...steady, frequencyHz, currentA: currentA * (1 - 0.4 * ramp(ms, -40, 150)) };
    }
    case 1005:
      return { ...steady, voltageV: nominalV * (1 - ramp(ms, -3, 6)), currentA: currentA * off(ms, 8) };
    case 2001:
      return { ...steady, leakageMa: leakageMa + 18 * ramp(ms, -30, 0), currentA: currentA * off(ms, 20) };
    case 2003: {
      const burns = ms > -35 && ms < 100;
      return {
        ...steady,
        busV: busV * (burns ? 0.965 : 1),
        currentA: currentA * off(ms, 100),
        roughness: burns ? 0.16 : 0.01,
      };
    }
    case 2007:
      return {
        ...steady,
        currentA: currentA * (1 - 0.5 * ramp(ms, -2, 15)),
        busV: busV * (1 - 0.03 * ramp(ms, -2, 15)),
      };
    case 3003:
      return { ...steady, currentA: currentA * (1 - 0.3 * ramp(ms, 0, 180)) };
    default:
      return { ...steady, currentA: currentA * off(ms, 6) };
  }
}

/** The waveforms that an inverter samples around the beginning of a fault, 100 ms before to 200 ms after. */
export function faultWaves(state: WaveState): RecordChannel[] {
  const { phases, seed } = state;
  const noise = noiseOf(seed);
  const channels = channelsOf(phases);
  let turned = (seed % 360) / 360;
  for (let at = 0; at < WAVE_SAMPLES; at += 1) {
    const course = courseOf(state, ((at - WAVE_BEFORE) / WAVE_RATE_HZ) * 1_000);
    turned += course.frequencyHz / WAVE_RATE_HZ;
    for (const { samples, scale, valueAt } of channels) {
      const value = valueAt(course, turned, noise);
      samples[at] = Math.max(-32_767, Math.min(32_767, Math.round(value / scale)));
    }
  }
  return channels.map(({ valueAt: _, ...channel }) => channel);
}

interface Sampled extends RecordChannel {
  valueAt(course: Course, turned: number, noise: () => number): number;
}

function channelsOf(phases: number): Sampled[] {
  const channel = (name: string, unit: string, valueAt: Sampled['valueAt']): Sampled => ({
    name,
    unit,
    scale: SCALES[unit] ?? 1,
    samples: new Int16Array(WAVE_SAMPLES),
    valueAt,
  });
  const numbers = Array.from({ length: phases }, (_, place) => place);
  const angle = (turned: number, place: number) => TURN * (turned - place / 3);
  return [
    ...numbers.map((place) =>
      channel(`AC/L${place + 1}/Voltage`, 'V', ({ voltageV }, turned, noise) => {
        const wave = Math.sin(angle(turned, place)) + 0.012 * Math.sin(5 * angle(turned, place));
        return Math.SQRT2 * voltageV * wave + 0.4 * noise();
      }),
    ),
    ...numbers.map((place) =>
      channel(`AC/L${place + 1}/Current`, 'A', ({ currentA, roughness }, turned, noise) => {
        const wave = Math.sin(angle(turned, place)) + 0.02 * Math.sin(7 * angle(turned, place));
        return Math.SQRT2 * currentA * (wave + roughness * noise());
      }),
    ),
    channel('AC/Frequency', 'Hz', ({ frequencyHz, voltageV }, _, noise) =>
      voltageV > 20 ? frequencyHz + 0.004 * noise() : 0,
    ),
    channel('DC/BusVoltage', 'V', ({ busV, roughness }, turned, noise) => {
      const ripple = phases === 1 ? 4 * Math.sin(2 * TURN * turned) : 0.6 * Math.sin(6 * TURN * turned);
      return busV + (busV > 0 ? ripple + busV * 0.1 * Math.max(0, roughness - 0.01) * noise() : 0);
    }),
    channel('DC/LeakageCurrent', 'mA', ({ leakageMa }, turned, noise) =>
      leakageMa === 0 ? 0 : leakageMa + 0.15 * leakageMa * Math.sin(TURN * turned) + 0.3 * noise(),
    ),
  ];
}

/** The same numbers between -1 and 1 for the same seed. */
function noiseOf(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state | 0) / 2_147_483_648;
  };
}
