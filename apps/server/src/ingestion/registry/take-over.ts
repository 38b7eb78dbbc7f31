import type { DeviceEntry, LoggerEntry } from './plant-model.ts';

/**
 * A device goes with the logger that names it within one plant, and from a plant that nobody has made and a logger that is
 * silent. Everything else somebody must decide.
 */
export function mayTakeOver(logger: LoggerEntry, { logger: holder, site, isOfLostPlant }: DeviceEntry): boolean {
  if (holder === logger) return true;
  return site === undefined ? !holder.online && !isOfLostPlant : site === logger.site;
}
