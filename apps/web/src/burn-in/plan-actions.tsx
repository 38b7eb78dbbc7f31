import { planAdd, planEdit, planRemove } from '@sonnenwarte/contract/burn-in/burn-in';
import type { PlanRow } from '@sonnenwarte/contract/burn-in/rows';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';

const adding = actionsOf<undefined>();

export const planAdding = adding.table(
  'burn-in.plans',
  { nameOf: () => '' },
  { add: adding.opens(planAdd, async () => (await import('./plan-form.tsx')).PlanAddForm, { icon: IconPlus }) },
);

const { opens, asks, table } = actionsOf<PlanRow>();

/** What can be done with a plan; a click on it edits it. */
export const planActions = table(
  'burn-in.plans',
  { nameOf: ({ name }) => name },
  {
    edit: opens(planEdit, async () => (await import('./plan-form.tsx')).PlanEditForm, { icon: IconPencil }),
    remove: asks(planRemove, ({ planID }) => ({ planID }), { icon: IconTrash, danger: true }),
  },
);
