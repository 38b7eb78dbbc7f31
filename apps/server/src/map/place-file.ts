import { readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import type { PlaceTable } from './place-table.ts';

/** Made by the set-up from the packages that hold the names: reading those takes seconds. */
export const PLACE_FILE = fileURLToPath(new URL('../../dist/places.bin', import.meta.url));

/** Wherever the table has other columns, a file from before is none. */
const FORMAT = 'places 1';

/** Written beside and renamed: whoever reads meanwhile finds a whole one. */
export async function writePlaceFile(path: string, table: PlaceTable): Promise<void> {
  const beside = `${path}.${process.pid}`;
  await writeFile(beside, serialize([FORMAT, table]));
  await rename(beside, path);
}

/** undefined where there is none, or none that can be read. */
export async function readPlaceFile(path: string): Promise<PlaceTable | undefined> {
  try {
    const [format, table] = deserialize(await readFile(path)) as [format: string, table: PlaceTable];
    return format === FORMAT ? table : undefined;
  } catch {
    return undefined;
  }
}
