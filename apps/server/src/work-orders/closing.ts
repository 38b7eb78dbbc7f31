import { CLOSED_AFTER_MS } from '@sonnenwarte/contract/work-orders/order-states';
import { type Kysely, sql } from 'kysely';
import { systemScope } from '../access/scope.ts';
import type { Database } from '../stores/schema.ts';
import { heldOrder } from './acts.store.ts';
import { applyChange } from './changes.ts';

/** So many in one transaction. */
const AT_ONCE = 100;

/** Closes what was solved and to which nobody has said anything since; answers how many. */
export const closeWhatIsSolved = (db: Kysely<Database>, nowMs: number): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const due = await tx
      .selectFrom('work_orders')
      .select('id')
      .where('state', '=', 'solved')
      .where('updated_at', '<', new Date(nowMs - CLOSED_AFTER_MS))
      .where(
        sql<boolean>`not exists (select from sites where sites.id = work_orders.site_id and sites.deleted_at is not null)`,
      )
      .orderBy('updated_at')
      .limit(AT_ONCE)
      .forUpdate()
      .skipLocked()
      .execute();
    for (const { id } of due) {
      const order = await heldOrder(tx, systemScope, id);
      if (order === undefined) continue;
      const change = { action: 'work-orders.close', entry: { kind: 'closedByItself' }, move: 'close' } as const;
      await applyChange(tx, order, undefined, change, nowMs, {});
    }
    return due.length;
  });
