import { batchAdd, batchChoices, batchEdit, batchList, batchRemove, exportBatches } from './batches.ts';
import { importCheck, importDrop, importProblems, importRun } from './imports.ts';
import {
  exportManufacturers,
  manufacturerAdd,
  manufacturerChoices,
  manufacturerEdit,
  manufacturerList,
  manufacturerRemove,
} from './manufacturers.ts';
import { exportUnits, originOfDatalogger, originOfDevice, unitList, unitRemove, unitWarranty } from './units.ts';
import { exportWarranties, warrantyAdd, warrantyEdit, warrantyList, warrantyRemove } from './warranties.ts';

export const factoryEndpoints = {
  unitList,
  exportUnits,
  unitRemove,
  unitWarranty,
  originOfDevice,
  originOfDatalogger,
  batchList,
  exportBatches,
  batchChoices,
  batchAdd,
  batchEdit,
  batchRemove,
  importCheck,
  importRun,
  importProblems,
  importDrop,
  manufacturerList,
  exportManufacturers,
  manufacturerChoices,
  manufacturerAdd,
  manufacturerEdit,
  manufacturerRemove,
  warrantyList,
  exportWarranties,
  warrantyAdd,
  warrantyEdit,
  warrantyRemove,
} as const;
