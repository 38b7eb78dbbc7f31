import type { burnInEndpoints } from '@sonnenwarte/contract/burn-in/burn-in';
import { MOST_PLANS } from '@sonnenwarte/contract/burn-in/plan';
import type { PlanRow } from '@sonnenwarte/contract/burn-in/rows';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { recordAudit } from '../audit/audit.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import { orTaken } from '../http/unique-violation.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { type Asked, toRows } from '../stores/lists.ts';
import { tellOfRuns } from './news.ts';
import {
  batchChoices,
  countPlans,
  deletePlan,
  heldPlan,
  holdPlans,
  insertPlan,
  type PlanFacts,
  planChoices,
  plansFound,
  type StoredPlan,
  updatePlan,
} from './plans.store.ts';

type Calls = typeof burnInEndpoints;
type Used = Uses<'db' | 'nowMs'>;

const toRow = (plan: StoredPlan): PlanRow => ({
  planID: plan.id,
  name: plan.name,
  durationMinutes: plan.duration_minutes,
  steps: plan.steps,
  limits: plan.limits,
  runs: plan.runs,
  changedMs: plan.changed_at.getTime(),
});

export const planListOf = async ({ db }: Uses<'db'>, input: Asked<Calls['planList']>) =>
  toRows(await plansFound(db, input), toRow);

export const plansOf = async ({ db }: Uses<'db'>, input: Parsed<Calls['plans']>): Promise<Result<Calls['plans']>> => ({
  choices: await planChoices(db, input),
});

export const batchesOf = async (
  { db }: Uses<'db'>,
  input: Parsed<Calls['batches']>,
): Promise<Result<Calls['batches']>> => ({ choices: await batchChoices(db, input) });

const told = ({ name, durationMinutes, steps, limits }: PlanFacts): Record<string, unknown> => ({
  name,
  durationMinutes,
  steps: steps.map(({ minutes, percent }) => `${minutes} min ${percent} %`).join(', '),
  ...Object.fromEntries(
    Object.entries(limits).map(([limit, value]) => [limit, Array.isArray(value) ? value.join(', ') : value]),
  ),
});

const record = (
  tx: Parameters<typeof recordAudit>[0],
  context: CallContext,
  action: 'addPlan' | 'editPlan' | 'removePlan',
  [id, name]: readonly [string, string],
  change: { before?: Record<string, unknown>; after?: Record<string, unknown> },
): Promise<void> =>
  recordAudit(tx, context, {
    log: 'operation',
    action: `burn-in.${action}`,
    recordKind: 'burnInPlan',
    recordId: id,
    recordName: name,
    organisationPath: context.actor.organisationPath,
    ...change,
  });

const nameTaken = { burn_in_plans_by_name: 'name' } as const;

export const addPlan = ({ db, nowMs }: Used, facts: Parsed<Calls['planAdd']>, context: CallContext): Promise<void> =>
  orTaken(nameTaken, () =>
    inTransaction(db, async (tx) => {
      await holdPlans(tx);
      if ((await countPlans(tx)) >= MOST_PLANS) throw new CallError('tooManyBurnInPlans');
      const id = await insertPlan(tx, facts, new Date(nowMs()));
      await record(tx, context, 'addPlan', [id, facts.name], { after: told(facts) });
    }),
  );

export const editPlan = (
  { db, nowMs }: Used,
  { planID, ...facts }: Parsed<Calls['planEdit']>,
  context: CallContext,
): Promise<void> =>
  orTaken(nameTaken, () =>
    inTransaction(db, async (tx) => {
      const { name, duration_minutes, steps, limits } = found(await heldPlan(tx, planID), 'burnInPlanNotFound');
      await updatePlan(tx, planID, facts, new Date(nowMs()));
      await tellOfRuns(tx);
      await record(tx, context, 'editPlan', [planID, facts.name], {
        before: told({ name, durationMinutes: duration_minutes, steps, limits }),
        after: told(facts),
      });
    }),
  );

export const removePlan = (
  { db }: Used,
  { planID }: Parsed<Calls['planRemove']>,
  context: CallContext,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { name, duration_minutes, steps, limits } = found(await heldPlan(tx, planID), 'burnInPlanNotFound');
    await deletePlan(tx, planID);
    await record(tx, context, 'removePlan', [planID, name], {
      before: told({ name, durationMinutes: duration_minutes, steps, limits }),
    });
  });
