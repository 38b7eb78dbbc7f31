import { DEFAULT_GAP_MS } from './buckets.ts';
import type { DeviceSample, PowerChannel } from './channels.ts';
import type { BalancedPowers } from './power-balance.ts';
import { balancePowers, FLOW_TOLERANCE_W as TOLERANCE_W } from './power-balance.ts';
import type { SiteTopology } from './site-topology.ts';
import { ratedInverterW, sitePorts, sumOverSite, weightedSocPercent } from './site-topology.ts';

export type { SitePowerName } from './power-balance.ts';

/** Powers below this are shown as none, W. */
export const FLOW_TOLERANCE_W = TOLERANCE_W;

/** What a site does now. Quantities that are not known, or that the site does not have, are absent. */
export interface SitePowers extends BalancedPowers {
  socPercent?: number;
  /** Sum over all batteries whose capacity is known. */
  batteryCapacityWh?: number;
  /** Time of the oldest sample that counts, epoch ms; absent without any sample. */
  asOfMs?: number;
  ageMs?: number;
  /** Devices of the site whose last sample is missing or too old to stand beside the others. */
  missing: number[];
}

/**
 * Sums the newest samples of a site's devices and makes them add up at the AC bus (see `balancePowers`).
 *
 * A sample that lags the newest of the site by more than `windowMs` is left out and its device listed as missing: a picture
 * is never made of readings of different times. Where all are old the picture is whole, and `ageMs` says how old.
 */
export function sitePowers(
  latestByDevice: ReadonlyMap<number, DeviceSample>,
  topology: SiteTopology,
  nowMs: number,
  windowMs: number = DEFAULT_GAP_MS,
): SitePowers {
  let newestMs = Number.NEGATIVE_INFINITY;
  for (const { deviceKey } of topology.devices) {
    newestMs = Math.max(newestMs, latestByDevice.get(deviceKey)?.tsMs ?? Number.NEGATIVE_INFINITY);
  }
  const missing: number[] = [];
  const fresh = new Map<number, DeviceSample>();
  let asOfMs = Number.POSITIVE_INFINITY;
  for (const { deviceKey } of topology.devices) {
    const sample = latestByDevice.get(deviceKey);
    if (sample === undefined || sample.tsMs < newestMs - windowMs) {
      missing.push(deviceKey);
      continue;
    }
    fresh.set(deviceKey, sample);
    asOfMs = Math.min(asOfMs, sample.tsMs);
  }
  const sumW = (channel: PowerChannel): number | undefined =>
    sumOverSite(topology, channel, (deviceKey) => fresh.get(deviceKey)?.powers[channel])?.value;
  const powers: SitePowers = {
    ...balancePowers(
      {
        pvW: sumW('pv'),
        acW: sumW('ac'),
        externalW: sumW('external'),
        batteryW: sumW('battery'),
        gridW: sumW('grid'),
        loadW: sumW('load'),
        chargerW: sumW('charger'),
        ratedW: ratedInverterW(topology),
      },
      sitePorts(topology),
    ),
    missing,
  };
  const socPercent = weightedSocPercent(topology, (deviceKey) => fresh.get(deviceKey)?.socPercent);
  if (socPercent !== undefined) powers.socPercent = socPercent;
  const capacities = topology.devices.flatMap(({ capacityWh }) => (capacityWh === undefined ? [] : [capacityWh]));
  if (capacities.length > 0) powers.batteryCapacityWh = capacities.reduce((sum, capacityWh) => sum + capacityWh, 0);
  if (fresh.size > 0) {
    powers.asOfMs = asOfMs;
    powers.ageMs = Math.max(0, nowMs - asOfMs);
  }
  return powers;
}
