/** An incident at a plant, as far as it may explain another one or be explained. */
export interface AtPlant {
  readonly id: string;
  readonly code: number;
  readonly deviceId: string | null;
  readonly loggerId: string | null;
  readonly sinceMs: number;
}

export const DATALOGGER_OFFLINE = 5003;
export const DEVICE_OFFLINE = 5004;
export const GRID_LOST = 1005;

const FAN_STANDS = 3002;
const TOO_HOT = 3001;
const BMS_LOST = 4001;

/** What inverters tell of the grid that all of them at a plant have. */
const OF_GRID: ReadonlySet<number> = new Set([1001, 1002, 1003, 1004, 1005, 1006, 1007, 1009, 1010]);
/** What goes along with a grid that is lost. */
const WITH_GRID_LOST: ReadonlySet<number> = new Set([1002, 1003, 1004, 1006, 1010]);
/** By what it is explained where that stands at the same device, the first cause of all first. */
const OF_SAME_DEVICE: ReadonlyMap<number, readonly number[]> = new Map([
  [TOO_HOT, [FAN_STANDS]],
  [3003, [FAN_STANDS, TOO_HOT]],
  // No word of the battery's management: what it told last tells nothing.
  [4003, [BMS_LOST]],
  [4007, [BMS_LOST]],
  [4010, [BMS_LOST]],
]);

const isOlder = (a: AtPlant, b: AtPlant): boolean => a.sinceMs < b.sinceMs || (a.sinceMs === b.sinceMs && a.id < b.id);

/**
 * What explains each of the incidents that stand at a plant, by their ids; null where nothing does. A cause is never below another. One pass, however many
 * devices of a plant tell however much.
 */
export function causesOf(standing: readonly AtPlant[]): Map<string, string | null> {
  const ofDatalogger = new Map<string, string>();
  const ofDevice = new Map<string, string>();
  const ofGrid = new Map<number, AtPlant>();
  for (const each of standing) {
    const { id, code, deviceId, loggerId } = each;
    if (code === DATALOGGER_OFFLINE && loggerId !== null) ofDatalogger.set(loggerId, id);
    if (deviceId !== null) ofDevice.set(`${deviceId} ${code}`, id);
    const oldest = ofGrid.get(code);
    if (OF_GRID.has(code) && (oldest === undefined || isOlder(each, oldest))) ofGrid.set(code, each);
  }
  const explaining = ({ code, deviceId, loggerId }: AtPlant): string | undefined => {
    if (code === DEVICE_OFFLINE) return ofDatalogger.get(loggerId ?? '');
    const causes = OF_SAME_DEVICE.get(code);
    if (causes !== undefined) {
      return causes.flatMap((cause) => ofDevice.get(`${deviceId} ${cause}`) ?? [])[0];
    }
    return ((WITH_GRID_LOST.has(code) && ofGrid.get(GRID_LOST)) || ofGrid.get(code))?.id;
  };
  return new Map(
    standing.map((each) => {
      const cause = explaining(each);
      return [each.id, cause === undefined || cause === each.id ? null : cause];
    }),
  );
}

/** Where several plants lose the grid together it is one trouble: at so many plants of a postcode, begun within this time. */
export const LEAST_PLANTS_OF_REGION = 3;
export const REGION_WITHIN_MS = 600_000;

/** Codes that may be one trouble of a region. */
export const isOfRegion = (code: number): boolean => code === GRID_LOST;

/** Name of the region of a plant; empty where its postcode is not known. */
export const regionOf = (country: string, postcode: string): string => {
  const plain = postcode.trim().toUpperCase().replaceAll(/\s+/g, ' ');
  return plain === '' ? '' : `${country} ${plain}`;
};
