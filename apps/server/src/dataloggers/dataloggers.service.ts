import type { dataloggerEndpoints } from '@sonnenwarte/contract/dataloggers/dataloggers';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { listLoggers } from './dataloggers.store.ts';

type List = typeof dataloggerEndpoints.list;

const ONLINE = 1;
const OFFLINE = 2;

/** A page of dataloggers. */
export async function dataloggerList(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  input: Parsed<List>,
  { scope }: Scoped,
): Promise<Result<List>> {
  const { total, loggers } = await listLoggers(db, scope, input, nowMs());
  return {
    pageSize: input.pageSize,
    currentPage: input.currentPage,
    total,
    data: loggers.map((logger) => ({
      moduleSN: logger.sn,
      moduleType: logger.type,
      plantName: logger.site_name ?? '',
      stationID: logger.site_id,
      version: logger.firmware,
      signal: logger.rssi_dbm,
      communication: logger.is_online ? ONLINE : OFFLINE,
      lastSeenMs: logger.last_seen_at?.getTime() ?? null,
      quarantined: logger.quarantined,
    })),
  };
}
