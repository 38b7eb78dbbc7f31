import { firmwareStates, type Pile } from '@sonnenwarte/contract/chargers/chargers';
import { withoutNoise } from '@sonnenwarte/energy/rounding';
import type { Controlled } from './charge-points.ts';
import type { PileRow } from './chargers.store.ts';

/** A pile as its screen shows it: of what it does now only a connected one tells. */
export function shownPile(row: PileRow, pile: Controlled | undefined, nowMs: number): Omit<Pile, 'can'> {
  return {
    deviceID: row.device_id,
    deviceSN: row.sn,
    name: row.name,
    ratedPowerW: row.rated_power_w ?? 0,
    phases: row.phases,
    mostCurrentA: row.most_current_a,
    mode: row.mode,
    limitA: row.limit_a,
    times: row.times,
    online: pile !== undefined,
    protocol: row.protocol,
    vendor: row.vendor,
    model: row.model,
    firmware: row.firmware,
    firmwareState: firmwareStates.find((state) => state === row.firmware_state) ?? null,
    isStopped: row.stopped,
    updatedAtMs: row.readAt?.getTime() ?? null,
    ...nowOf(pile, nowMs),
  };
}

type Now = Pick<
  Pile,
  | 'isPlugged'
  | 'isCharging'
  | 'powerW'
  | 'offeredA'
  | 'offeredPhases'
  | 'why'
  | 'whyUntilMs'
  | 'surplusW'
  | 'sessionWh'
  | 'sessionBeganMs'
>;

function nowOf(pile: Controlled | undefined, nowMs: number): Now {
  if (pile === undefined)
    return {
      isPlugged: false,
      isCharging: false,
      powerW: null,
      offeredA: null,
      offeredPhases: null,
      why: 'offline',
      whyUntilMs: null,
      surplusW: null,
      sessionWh: null,
      sessionBeganMs: null,
    };
  const { link, told, decision, surplusW } = pile;
  const untilMs = decision?.untilMs;
  return {
    isPlugged: link.isPlugged,
    isCharging: link.status === 'charging',
    powerW: withoutNoise(link.powerW),
    offeredA: told?.currentA ?? null,
    offeredPhases: told?.phases ?? null,
    why: whyOf(pile),
    whyUntilMs: untilMs === undefined || untilMs <= nowMs ? null : untilMs,
    surplusW: link.point.mode === 'solar' ? withoutNoise(surplusW ?? null) : null,
    sessionWh: withoutNoise(link.sessionWh ?? null),
    sessionBeganMs: link.session?.beganMs ?? null,
  };
}

function whyOf({ link, decision, state }: Controlled): Pile['why'] {
  if (link.status === 'faulted') return 'faulted';
  if (decision === undefined || !link.isPlugged) return link.point.isStopped ? 'stopped' : 'noCar';
  if (link.takesLimits === false) return 'noLimits';
  // It is offered current, and takes none: it is full, or waits for its own time.
  if (state.currentA > 0 && link.status === 'suspendedEv') return 'vehicleWaits';
  return decision.why;
}
