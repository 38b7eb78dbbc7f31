import type { DataloggerEntry, DeviceEntry } from './plant-model.ts';

/**
 * A device goes with the logger that names it within one plant, and from a plant that nobody has made and a logger that is
 * silent. Everything else somebody must decide.
 */
export function mayTakeOver(
  datalogger: DataloggerEntry,
  { datalogger: holder, site, isOfLostPlant }: DeviceEntry,
): boolean {
  if (holder === datalogger) return true;
  return site === undefined ? !holder.online && !isOfLostPlant : site === datalogger.site;
}
