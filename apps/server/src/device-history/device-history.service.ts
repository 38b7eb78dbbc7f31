import { UNDO_DAYS } from '@sonnenwarte/contract/deletions/deletions';
import type { deviceHistoryEndpoints } from '@sonnenwarte/contract/device-history/device-history';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { recordAudit } from '../audit/audit.ts';
import { entryAbout } from '../audit/entry-about.ts';
import { recordDeletion } from '../deletions/deletions.service.ts';
import { storedSamples } from '../deletions/device-samples.store.ts';
import { clearHistory } from '../deletions/history-removal.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { clearableDevice, holdClearableDevice } from './device-history.store.ts';

type Calls = typeof deviceHistoryEndpoints;

/** What clearing the history of a device would take away. */
export async function previewOf(
  { db, telemetry }: Uses<'db' | 'telemetry'>,
  { deviceID }: Parsed<Calls['preview']>,
  { scope }: Scoped,
): Promise<Result<Calls['preview']>> {
  const device = found(await clearableDevice(db, scope, deviceID), 'deviceNotFound');
  const stored = await storedSamples(telemetry, device.kind, device.key);
  return {
    deviceSN: device.sn,
    plantName: device.siteName ?? '',
    ianaTimezone: device.timeZone,
    samples: stored?.samples ?? 0,
    firstMs: stored?.firstMs ?? null,
    lastMs: stored?.lastMs ?? null,
    corrections: device.corrections,
    undoDays: UNDO_DAYS,
  };
}

/** Clears the history of a device, once its serial number was typed. */
export function clearOf(
  { db, telemetry, nowMs }: Uses<'db' | 'telemetry' | 'nowMs'>,
  { deviceID, deviceSN }: Parsed<Calls['clear']>,
  context: CallContext,
): Promise<Result<Calls['clear']>> {
  const now = nowMs();
  return inTransaction(db, async (tx) => {
    const device = found(await holdClearableDevice(tx, context.scope, deviceID), 'deviceNotFound');
    if (deviceSN.trim() !== device.sn) throw new CallError('historyConfirmation');
    const stored = await storedSamples(telemetry, device.kind, device.key);
    if (stored === undefined) throw new CallError('historyEmpty');
    const { samples, firstMs, lastMs } = stored;
    const { deletionID, undoUntilMs } = await recordDeletion(
      tx,
      context,
      {
        kind: 'history',
        recordId: device.id,
        recordName: device.sn,
        organisationPath: device.path,
        change: crypto.randomUUID(),
      },
      now,
    );
    await clearHistory(tx, { deletionID, deviceId: device.id, fromMs: firstMs, nowMs: now });
    await recordAudit(tx, context, {
      ...entryAbout('device', { id: device.id, name: device.sn, path: device.path }),
      action: 'device-history.clear',
      before: {
        samples,
        from: new Date(firstMs).toISOString(),
        to: new Date(lastMs).toISOString(),
        ...(device.corrections > 0 && { corrections: device.corrections }),
      },
    });
    return { deletionID, undoUntilMs };
  });
}
