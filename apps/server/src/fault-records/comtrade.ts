import type { FaultRecord } from '@sonnenwarte/device-protocol/fault-records/fault-record';

interface Recorder {
  readonly sn: string;
  readonly site_name: string | null;
}

const END = '\r\n';
const LONGEST_FIELD = 64;
/** 32768 below zero is no value of the format. */
const LEAST = -32_767;
const inFormat = (value: number): number => Math.max(LEAST, value);

/** A field of a line: printable ASCII without commas. */
const field = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .replaceAll(',', ' ')
    .trim()
    .slice(0, LONGEST_FIELD);

/** Phase that a channel is of, and what is measured there. */
const phaseOf = (name: string): string => /\/(L[123])\//.exec(name)?.[1]?.replace('L', '') ?? '';
const phases: Readonly<Record<string, string>> = { '1': 'A', '2': 'B', '3': 'C' };

/** `dd/mm/yyyy,hh:mm:ss.ssssss` in UTC. */
function stamp(ms: number): string {
  const whole = Math.floor(ms);
  const iso = new Date(whole).toISOString();
  const micros = Math.round((ms - whole) * 1_000);
  const [day = '', time = ''] = iso.split('T');
  const [year, month, date] = day.split('-');
  return `${date}/${month}/${year},${time.slice(0, 12)}${String(Math.min(999, micros)).padStart(3, '0')}`;
}

/** The configuration file of IEEE C37.111-1999. Times are UTC, of which the format knows nothing. */
export function comtradeConfig(record: FaultRecord, { sn, site_name }: Recorder): string {
  const { channels, rateHz, before, timeMs, nominalHz } = record;
  const samples = channels[0]?.samples.length ?? 0;
  const lines = [
    `${field(site_name ?? '')},${field(sn)},1999`,
    `${channels.length},${channels.length}A,0D`,
    ...channels.map(({ name, unit, scale, samples: told }, place) => {
      const low = told.reduce((least, each) => Math.min(least, inFormat(each)), 32_767);
      const high = told.reduce((most, each) => Math.max(most, inFormat(each)), LEAST);
      return `${place + 1},${field(name)},${phases[phaseOf(name)] ?? ''},,${field(unit)},${scale},0,0,${low},${high},1,1,P`;
    }),
    String(nominalHz),
    '1',
    `${rateHz},${samples}`,
    stamp(timeMs - (before / rateHz) * 1_000),
    stamp(timeMs),
    'ASCII',
    '1',
  ];
  return lines.map((each) => each + END).join('');
}

/** The data file: number and time (microseconds from the first) of each sample, then its values as they were recorded. */
export function* comtradeData({ channels, rateHz }: FaultRecord): Generator<string> {
  const samples = channels[0]?.samples.length ?? 0;
  for (let at = 0; at < samples; at += 1) {
    const micros = Math.round((at / rateHz) * 1e6);
    const values = channels.map(({ samples: told }) => inFormat(told[at] ?? 0));
    yield [at + 1, micros, ...values].join(',') + END;
  }
}
