import type { Quality } from '@sonnenwarte/contract/status';
import { type MarkedQuantity, qualityOf } from '@sonnenwarte/energy/accounting/site-marks';
import type { Energies, EnergyColumn } from './site-energy.store.ts';

/** Whose marks an energy bears: a flow those of its source and of its sink. */
const quantitiesOf: Readonly<Record<EnergyColumn, readonly MarkedQuantity[]>> = {
  pv_wh: ['pv'],
  external_wh: ['external'],
  load_wh: ['load'],
  charger_wh: ['charger'],
  charge_wh: ['charge'],
  discharge_wh: ['discharge'],
  import_wh: ['import'],
  export_wh: ['export'],
  ac_out_wh: ['acOut'],
  pv_to_load_wh: ['pv', 'load'],
  pv_to_charger_wh: ['pv', 'charger'],
  pv_to_battery_wh: ['pv', 'charge'],
  pv_to_grid_wh: ['pv', 'export'],
  external_to_load_wh: ['external', 'load'],
  external_to_charger_wh: ['external', 'charger'],
  external_to_battery_wh: ['external', 'charge'],
  external_to_grid_wh: ['external', 'export'],
  battery_to_load_wh: ['discharge', 'load'],
  battery_to_charger_wh: ['discharge', 'charger'],
  battery_to_grid_wh: ['discharge', 'export'],
  grid_to_load_wh: ['import', 'load'],
  grid_to_charger_wh: ['import', 'charger'],
  grid_to_battery_wh: ['import', 'charge'],
  loss_wh: ['pv', 'external', 'discharge', 'import', 'load', 'charger', 'charge', 'export'],
  fuel_wh: ['external'],
  fuel_to_grid_wh: ['external', 'export'],
};

/** The quality of an energy by such marks. */
export const qualityOfEnergy = (marks: number, column: EnergyColumn): Quality => qualityOf(marks, quantitiesOf[column]);

/** The worst quality of some energies of a sum, as far as they are known. */
export function qualityOfEnergies(sum: Energies & { marks: number }, columns: readonly EnergyColumn[]): Quality {
  const known = columns.filter((column) => sum[column] !== null);
  return qualityOf(
    sum.marks,
    known.flatMap((column) => quantitiesOf[column]),
  );
}
