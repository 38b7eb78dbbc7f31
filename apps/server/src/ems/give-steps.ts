import type { DispatchReason } from '@sonnenwarte/contract/ems/ems';
import type { AuditSource } from '../audit/audit.ts';
import type { CommandChannel } from '../commands/orders.ts';
import { keepOwnSettings, OUTPUT_LIMIT } from './ems.store.ts';
import type { GridStep } from './grid-steps.ts';
import { purchaseSettings } from './purchase.store.ts';
import type { PurchaseStep } from './purchase-steps.ts';
import { noteSteps, type Step } from './steps.store.ts';

type Tx = Parameters<CommandChannel['order']>[0];

/** A limit that has not reached its inverter by then is decided anew. */
const EXPIRES_MS = 60_000;
/** That one may give all again is told it whenever it comes back, within the time that any command is kept. */
const RELEASE_EXPIRES_MS = 12 * 3_600_000;

interface Order {
  readonly device: { readonly id: string; readonly loggerId: string };
  readonly values: Readonly<Record<string, number>>;
  readonly step: Omit<Step, 'deviceId' | 'commandId'>;
}

/** Who orders, for what, when; `from` is the call that it comes from. */
export interface Giving {
  readonly siteId: string;
  readonly nowMs: number;
  readonly orderedBy?: string | null;
  readonly from?: AuditSource;
}

/** Writes steps for what is sold to inverters, and why. */
export async function giveSteps(tx: Tx, commands: CommandChannel, step: GridStep, giving: Giving): Promise<void> {
  await keepOwnSettings(
    tx,
    step.told.map(({ device }) => device.id),
    [OUTPUT_LIMIT],
  );
  const { reason, gridW, capW } = step;
  await give(
    tx,
    commands,
    step.told.map(({ device, fromPercent, toPercent }) => ({
      device,
      values: { [OUTPUT_LIMIT]: toPercent },
      step: { reason, gridW, capW, fromPercent, toPercent },
    })),
    giving,
  );
}

/** The same for what is bought. */
export async function givePurchaseSteps(
  tx: Tx,
  commands: CommandChannel,
  { gridW, needW, told }: PurchaseStep,
  giving: Giving,
): Promise<void> {
  await keepOwnSettings(
    tx,
    told.map(({ device }) => device.id),
    purchaseSettings,
  );
  await give(
    tx,
    commands,
    told.map(({ device, reason, values, fromW, toW }) => ({
      device,
      values,
      step: { reason, gridW, capW: needW, fromW, toW },
    })),
    giving,
  );
}

const expiresAfterMs = (reason: DispatchReason): number => (reason === 'released' ? RELEASE_EXPIRES_MS : EXPIRES_MS);

async function give(
  tx: Tx,
  commands: CommandChannel,
  orders: readonly Order[],
  { siteId, nowMs, orderedBy = null, from }: Giving,
): Promise<void> {
  const ids = await commands.order(
    tx,
    orders.map(({ device, values, step }) => ({
      loggerID: device.loggerId,
      deviceID: device.id,
      kind: 'write',
      content: { values },
      source: 'ems',
      orderedBy,
      expiresMs: nowMs + expiresAfterMs(step.reason),
    })),
    from,
  );
  await noteSteps(
    tx,
    siteId,
    nowMs,
    orders.map(({ device, step }, place) => ({ ...step, deviceId: device.id, commandId: ids[place] ?? '' })),
  );
}
