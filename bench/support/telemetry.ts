import { request } from 'node:http';
import { join } from 'node:path';
import { socketFolder } from '../../apps/server/src/stores/socket-folder.ts';

const TIMEOUT_MS = 600_000;

/** Runs a statement in the telemetry engine of a portal that runs on the data folder; answers its text. */
export function telemetry(dataDir: string, query: string): Promise<string> {
  const socketPath = join(socketFolder(dataDir), 'telemetry.sock');
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, method: 'POST', path: '/', timeout: TIMEOUT_MS }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${text.slice(0, 500)} in ${query.slice(0, 200)}`));
      });
    });
    call.on('error', reject);
    call.on('timeout', () => call.destroy(new Error('the telemetry engine does not answer')));
    call.end(query);
  });
}

/** Rows of numbers that a SELECT answers. */
export async function telemetryRows(dataDir: string, query: string): Promise<number[][]> {
  const text = await telemetry(dataDir, `${query} FORMAT TabSeparated`);
  return text.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t').map(Number)]));
}

export interface StoredBytes {
  raw: number;
  rollups: number;
}

/** Bytes of active parts on disk. */
export async function storedBytes(dataDir: string): Promise<StoredBytes> {
  const [[raw = 0, rollups = 0] = []] = await telemetryRows(
    dataDir,
    `SELECT sumIf(bytes_on_disk, startsWith(table, 'raw_')), sumIf(bytes_on_disk, not startsWith(table, 'raw_'))
     FROM system.parts WHERE active AND database = currentDatabase()`,
  );
  return { raw, rollups };
}

/** Merges all parts, as the engine would over time. */
export async function settleParts(dataDir: string): Promise<void> {
  const text = await telemetry(
    dataDir,
    'SELECT DISTINCT table FROM system.parts WHERE active AND database = currentDatabase() FORMAT TabSeparated',
  );
  for (const table of text.split('\n')) {
    if (table !== '') await telemetry(dataDir, `OPTIMIZE TABLE ${table} FINAL`);
  }
}
