import type { DataloggerEntry, DeviceEntry } from './plant-model.ts';

/**
 * A device goes with the logger that names it within one plant, and from a plant that nobody has made and a logger that is
 * silent. Everything else somebody must decide, but for what comes from a rack of the factory.
 */
export function mayTakeOver(datalogger: DataloggerEntry, device: DeviceEntry): boolean {
  const { datalogger: holder, site, isOfLostPlant } = device;
  if (holder === datalogger) return true;
  return site === undefined ? !holder.online && !isOfLostPlant && !givesNumberUp(device) : site === datalogger.site;
}

/** Who names a unit that was burnt in has got it, and begins a history of its own; what the factory recorded stays there. */
export const givesNumberUp = ({ isBurntIn, site, isOfLostPlant, isClaim }: DeviceEntry): boolean =>
  isBurntIn && site === undefined && !isOfLostPlant && !isClaim;
