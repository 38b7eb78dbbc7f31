import { type BatchRow, batchAdd, batchEdit, batchRemove } from '@sonnenwarte/contract/factory/batches';
import { importCheck } from '@sonnenwarte/contract/factory/imports';
import {
  type ManufacturerRow,
  manufacturerAdd,
  manufacturerEdit,
  manufacturerRemove,
} from '@sonnenwarte/contract/factory/manufacturers';
import { type UnitRow, unitList, unitRemove, unitWarranty } from '@sonnenwarte/contract/factory/units';
import { type WarrantyRow, warrantyAdd, warrantyEdit, warrantyRemove } from '@sonnenwarte/contract/factory/warranties';
import { IconFileImport, IconListDetails, IconPencil, IconPlus, IconShieldCheck, IconTrash } from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';

/** The batch into which a file goes; without one it is chosen first. */
export interface ImportInto {
  readonly batchID?: string;
  readonly number?: string;
}

const importing = actionsOf<ImportInto>();
const importAction = importing.opens(importCheck, async () => (await import('./import-dialog.tsx')).ImportDialog, {
  icon: IconFileImport,
});
export const unitAdding = importing.table('factory.units', { nameOf: () => '' }, { import: importAction });

const unit = actionsOf<UnitRow>();
/** What can be done with a unit; a click on its row tells all of it. */
export const unitActions = unit.table(
  'factory.units',
  { nameOf: ({ sn }) => sn },
  {
    look: unit.opens(unitList, async () => (await import('./unit-dialog.tsx')).UnitDialog, { icon: IconListDetails }),
    warranty: unit.opens(unitWarranty, async () => (await import('./unit-warranty-form.tsx')).UnitWarrantyForm, {
      icon: IconShieldCheck,
    }),
    delete: unit.asks(unitRemove, ({ sn }) => ({ sn }), { icon: IconTrash, danger: true }),
  },
);

const making = actionsOf<undefined>();
export const batchAdding = making.table(
  'factory.batches',
  { nameOf: () => '' },
  {
    add: making.opens(batchAdd, async () => (await import('./batch-form.tsx')).BatchAddForm, { icon: IconPlus }),
  },
);

const batch = actionsOf<BatchRow>();
export const batchActions = batch.table(
  'factory.batches',
  { nameOf: ({ number }) => number },
  {
    edit: batch.opens(batchEdit, async () => (await import('./batch-form.tsx')).BatchEditForm, { icon: IconPencil }),
    import: batch.opens(importCheck, async () => (await import('./import-dialog.tsx')).ImportDialog, {
      icon: IconFileImport,
    }),
    delete: batch.opens(batchRemove, async () => (await import('./delete-batch.tsx')).DeleteBatch, {
      icon: IconTrash,
      danger: true,
    }),
  },
);

export const manufacturerAdding = making.table(
  'factory.manufacturers',
  { nameOf: () => '' },
  {
    add: making.opens(manufacturerAdd, async () => (await import('./manufacturer-form.tsx')).ManufacturerAddForm, {
      icon: IconPlus,
    }),
  },
);

const manufacturer = actionsOf<ManufacturerRow>();
export const manufacturerActions = manufacturer.table(
  'factory.manufacturers',
  { nameOf: ({ name }) => name, whyNot: (_, t) => t('factory.manufacturers.hasBatches') },
  {
    edit: manufacturer.opens(
      manufacturerEdit,
      async () => (await import('./manufacturer-form.tsx')).ManufacturerEditForm,
      { icon: IconPencil },
    ),
    delete: manufacturer.asks(manufacturerRemove, ({ manufacturerID }) => ({ manufacturerID }), {
      icon: IconTrash,
      danger: true,
    }),
  },
);

export const warrantyAdding = making.table(
  'factory.warranties',
  { nameOf: () => '' },
  {
    add: making.opens(warrantyAdd, async () => (await import('./warranty-form.tsx')).WarrantyAddForm, {
      icon: IconPlus,
    }),
  },
);

const warranty = actionsOf<WarrantyRow>();
export const warrantyActions = warranty.table(
  'factory.warranties',
  { nameOf: ({ model }) => model },
  {
    edit: warranty.opens(warrantyEdit, async () => (await import('./warranty-form.tsx')).WarrantyEditForm, {
      icon: IconPencil,
    }),
    delete: warranty.asks(warrantyRemove, ({ warrantyID }) => ({ warrantyID }), { icon: IconTrash, danger: true }),
  },
);
