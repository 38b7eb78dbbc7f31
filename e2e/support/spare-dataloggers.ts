import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataloggerCommand } from './dataloggers.ts';

export interface SpareDatalogger {
  readonly sn: string;
  /** As it is printed on the device. */
  readonly key: string;
}

const SN_DIGITS = 15;
let made = 0;

/** Makes dataloggers known that hang on nobody's roof; each call makes others. */
export async function importSpares(dataDir: string, count: number): Promise<SpareDatalogger[]> {
  const spares = Array.from({ length: count }, () => {
    made += 1;
    const sn = `8${Date.now() % 10 ** 10}${String(made).padStart(4, '0')}`.padEnd(SN_DIGITS, '0');
    return { sn, key: `KEY-${sn.slice(-6)}` };
  });
  const folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-spares-'));
  try {
    const file = join(folder, 'dataloggers.csv');
    writeFileSync(file, ['sn,key', ...spares.map(({ sn, key }) => `${sn},${key}`)].join('\n'));
    const { code, output } = await dataloggerCommand(dataDir, ['import', file]);
    if (code !== 0) throw new Error(`The dataloggers were not imported:\n${output}`);
    return spares;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
