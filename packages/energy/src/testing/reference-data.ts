import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = new URL('../../../../../shared/data/pv/', import.meta.url);

/**
 * Runs assertions on a file of outside reference values. A clone elsewhere does not have these files: then one line says
 * so and nothing is asserted.
 */
export function withReference<Data>(fileName: string, assertions: (data: Data) => void): void {
  const path = fileURLToPath(new URL(fileName, FOLDER));
  if (!existsSync(path)) {
    console.info(`Reference values ${fileName} are not here: not compared.`);
    return;
  }
  assertions(JSON.parse(readFileSync(path, 'utf8')) as Data);
}
