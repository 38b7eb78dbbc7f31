import { add, type BrandRow, edit, remove } from '@sonnenwarte/contract/brands/brands';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';

const adding = actionsOf<undefined>();

export const brandAdding = adding.table(
  'brands',
  { nameOf: () => '' },
  { add: adding.opens(add, async () => (await import('./brand-form.tsx')).BrandAddForm, { icon: IconPlus }) },
);

const { opens, asks, table } = actionsOf<BrandRow>();

/** What can be done with a brand. */
export const brandActions = table(
  'brands',
  { nameOf: ({ name }) => name },
  {
    edit: opens(edit, async () => (await import('./brand-form.tsx')).BrandEditForm, { icon: IconPencil }),
    delete: asks(remove, ({ brandID }) => ({ brandID }), { icon: IconTrash, danger: true }),
  },
);
