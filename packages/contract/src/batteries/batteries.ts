import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { levels } from '../levels.ts';

export const batteryInfo = endpoint({
  method: 'GET',
  path: '/c/v0/device/battery/info',
  feature: 'batteries',
  summary: 'State of the battery of an inverter, or of a battery itself.',
  callers: levels,
  input: z.object({ id: z.uuid() }),
  result: z.object({
    /** 0 idle, 1 normal, 2 charging. */
    status: z.int(),
    soc: z.nullable(z.number()),
    volt: z.nullable(z.number()),
    current: z.nullable(z.number()),
    /** W, positive while discharging. */
    power: z.nullable(z.number()),
    temperature: z.nullable(z.number()),
    /** Wh. */
    residual: z.nullable(z.number()),
  }),
  names: { id: 'device' },
});

export const batteryAging = endpoint({
  method: 'GET',
  path: '/c/v0/device/battery/aging',
  feature: 'batteries',
  summary: 'Last state of health, full cycles and cell spread of each plant-local day of a battery, of up to a year.',
  callers: levels,
  input: z.object({ id: z.uuid() }),
  result: z.object({
    days: z.array(
      z.object({
        day: z.string(),
        sohPercent: z.nullable(z.number()),
        cycles: z.nullable(z.number()),
        /** The widest of the day, mV. */
        spreadMv: z.nullable(z.number()),
      }),
    ),
  }),
  names: { id: 'device' },
});

export const batteryEndpoints = { batteryInfo, batteryAging };
