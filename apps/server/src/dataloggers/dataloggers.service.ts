import type { dataloggerEndpoints } from '@sonnenwarte/contract/dataloggers/dataloggers';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { listDataloggers } from './dataloggers.store.ts';

type List = typeof dataloggerEndpoints.list;

const ONLINE = 1;
const OFFLINE = 2;

/** A page of dataloggers. */
export async function dataloggerList(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  input: Parsed<List>,
  { scope }: Scoped,
): Promise<Result<List>> {
  const { total, dataloggers } = await listDataloggers(db, scope, input, nowMs());
  return {
    pageSize: input.pageSize,
    currentPage: input.currentPage,
    total,
    data: dataloggers.map((datalogger) => ({
      moduleSN: datalogger.sn,
      moduleType: datalogger.type,
      plantName: datalogger.site_name ?? '',
      stationID: datalogger.site_id,
      version: datalogger.firmware,
      signal: datalogger.rssi_dbm,
      communication: datalogger.is_online ? ONLINE : OFFLINE,
      lastSeenMs: datalogger.last_seen_at?.getTime() ?? null,
      quarantined: datalogger.quarantined,
    })),
  };
}
