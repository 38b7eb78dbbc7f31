import { readFileSync } from 'node:fs';
import path from 'node:path';
import { attachedKinds } from '@sonnenwarte/device-protocol/points/points';
import * as z from 'zod/mini';

const device = z.object({
  sn: z.string(),
  kind: z.enum(attachedKinds),
  role: z.optional(z.string()),
  model: z.string(),
  odmSn: z._default(z.string(), ''),
  hardware: z._default(z.string(), ''),
  ratedPowerW: z.optional(z.number()),
  capacityWh: z.optional(z.number()),
  versions: z._default(
    z.object({
      master: z._default(z.string(), ''),
      slave: z._default(z.string(), ''),
      manager: z._default(z.string(), ''),
      afci: z._default(z.string(), ''),
    }),
    { master: '', slave: '', manager: '', afci: '' },
  ),
});

const plant = z.object({
  name: z.string(),
  type: z.int(),
  country: z.string(),
  city: z.string(),
  address: z.string(),
  postcode: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  altitudeM: z.number(),
  timeZone: z.string(),
  currency: z.string(),
  feedInPrice: z.string(),
  purchasePrice: z.string(),
  systemSizeKwp: z.number(),
  ratedPowerW: z.number(),
  commissionedOn: z.string(),
  gridConnectedOn: z.string(),
  arrays: z.array(z.object({ azimuthDeg: z.number(), inclinationDeg: z.number(), kwp: z.number() })),
  loggers: z.array(
    z.object({ sn: z.string(), type: z.string(), model: z.string(), firmware: z.string(), devices: z.array(device) }),
  ),
});

/** What the server needs of the simulator's fleet description, to know the plants before they speak. */
const fleet = z.object({ plants: z.array(plant), spares: z.array(plant) });
export type DemoFleet = z.infer<typeof fleet>;
export type DemoPlant = z.infer<typeof plant>;

/** The simulator's folder: it is started as a program and its fleet is read as data; nothing of it is imported. */
export const simulatorFolder = path.resolve(import.meta.dirname, '../../../simulator');
export const demoFleetFile = path.join(simulatorFolder, 'fleets/demo.json');

export const readDemoFleet = (): DemoFleet => fleet.parse(JSON.parse(readFileSync(demoFleetFile, 'utf8')));
