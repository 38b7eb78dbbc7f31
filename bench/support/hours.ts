import { telemetry } from './telemetry.ts';

const HOUR_S = 3_600;
/** Rows are written in blocks of so many: one block of a day of many plants is more than the engine may take. */
const BLOCK_ROWS = 100_000;

/** Stores the last hours of the plants whose keys begin with 1, as accounting would have summed them, a day at a time. */
export async function storeHours(dataDir: string, plants: number, hours: number): Promise<void> {
  const nowS = Math.floor(Date.now() / 1_000 / HOUR_S) * HOUR_S;
  for (let from = 0; from < hours; from += 24) {
    await telemetry(
      dataDir,
      `INSERT INTO site_hour (site, ts, day, hour, version, quality, pv_wh)
      SELECT number % ${plants} + 1, toDateTime(${nowS} - (intDiv(number, ${plants}) + ${from} + 1) * ${HOUR_S}, 'UTC') AS at,
        toDate(at), toHour(at), 1, 0, number % 5000
      FROM numbers(${plants * 24}) 
      SETTINGS max_threads = 1, max_block_size = ${BLOCK_ROWS}, min_insert_block_size_rows = ${BLOCK_ROWS}`,
    );
  }
}
