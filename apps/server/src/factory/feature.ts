import { factoryEndpoints } from '@sonnenwarte/contract/factory/factory';
import { featureOf } from '../feature.ts';
import type { Uses } from '../services.ts';
import { addBatch, batchRows, chooseBatches, editBatch, removeBatch } from './batches.service.ts';
import { checkUnits, dropImport, problemFile, runImport } from './imports.service.ts';
import { forgetImports } from './imports.store.ts';
import {
  addManufacturer,
  chooseManufacturers,
  editManufacturer,
  manufacturerRows,
  removeManufacturer,
} from './manufacturers.service.ts';
import { startReckoning } from './reckoning.ts';
import { dataloggerOrigin, deviceOrigin, removeUnit, setUnitWarranty, unitRows } from './units.service.ts';
import { addWarranty, editWarranty, removeWarranty, warrantyRows } from './warranties.service.ts';

/** Manufacturers, batches and the units that left the factory. */
export const feature = featureOf(
  factoryEndpoints,
  {
    unitList: unitRows,
    exportUnits: { find: unitRows, own: {}, title: 'factory.view.units' },
    unitRemove: removeUnit,
    unitWarranty: setUnitWarranty,
    originOfDevice: deviceOrigin,
    originOfDatalogger: dataloggerOrigin,
    batchList: batchRows,
    exportBatches: { find: batchRows, own: {}, title: 'factory.view.batches' },
    batchChoices: chooseBatches,
    batchAdd: addBatch,
    batchEdit: editBatch,
    batchRemove: removeBatch,
    importCheck: checkUnits,
    importRun: runImport,
    importProblems: problemFile,
    importDrop: dropImport,
    manufacturerList: manufacturerRows,
    exportManufacturers: { find: manufacturerRows, own: {}, title: 'factory.view.manufacturers' },
    manufacturerChoices: chooseManufacturers,
    manufacturerAdd: addManufacturer,
    manufacturerEdit: editManufacturer,
    manufacturerRemove: removeManufacturer,
    warrantyList: warrantyRows,
    exportWarranties: { find: warrantyRows, own: {}, title: 'factory.view.warranties' },
    warrantyAdd: addWarranty,
    warrantyEdit: editWarranty,
    warrantyRemove: removeWarranty,
  },
  start,
);

const FORGET_AT = '40 4 * * *';
/** A file that was not imported after a day was given up. */
const WAITS_FOR_MS = 86_400_000;

function start(services: Uses<'db' | 'jobs' | 'nowMs'>): void {
  startReckoning(services);
  services.jobs.every('factory.forget', FORGET_AT, async () => {
    await forgetImports(services.db, new Date(services.nowMs() - WAITS_FOR_MS));
  });
}
