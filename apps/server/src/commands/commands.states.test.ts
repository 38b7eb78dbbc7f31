import { commandStates, isOpenCommand } from '@sonnenwarte/contract/commands/command';
import { ResultCode, type ResultCodeNumber } from '@sonnenwarte/device-protocol/sparkplug/commands';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMMAND_TIMES, commandEvents, eventOfResult, stepOf } from './commands.states.ts';
import type { OpenCommand } from './open-command.ts';
import { advanced, answerMsOf, backEvent, isAsWanted, overdue, toldEvent } from './progress.ts';

const LIMIT = 'Setting/ExportLimit';
const WANTED = 3_000;
const BEFORE = 5_000;
const EXPIRES_MS = 600_000;

const fresh = (): OpenCommand => ({
  id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  loggerId: 'logger',
  loggerKey: 1,
  loggerSn: '100000000000001',
  deviceId: 'device',
  deviceKey: 1,
  kind: 'write',
  content: { values: { [LIMIT]: WANTED } },
  before: { [LIMIT]: BEFORE },
  source: 'hand',
  orderedBy: null,
  batchId: null,
  createdMs: 0,
  expiresMs: EXPIRES_MS,
  state: 'queued',
  code: null,
  message: '',
  readBack: null,
  tries: 0,
  sentMs: null,
  acknowledgedMs: null,
  doneMs: null,
  dueMs: EXPIRES_MS,
});

interface Answer {
  readonly isReading: boolean;
  readonly code: ResultCodeNumber;
  readonly value: number | undefined;
}

/** What a device is like: what it makes of the command, and whether it tells what it has then. */
interface Nature {
  readonly code: ResultCodeNumber;
  readonly readsBack: boolean;
  readonly sticks: boolean;
}

/** A portal, a device, and a line between them on which anything may be lost, doubled and late. */
class World {
  command = fresh();
  nowMs = 0;
  isThere = true;
  value = BEFORE;
  applied = 0;
  result: Answer | undefined;
  readonly toDevice: ('command' | 'reading')[] = [];
  readonly toPortal: Answer[] = [];
  readonly nature: Nature;

  constructor(nature: Nature) {
    this.nature = nature;
  }

  happen(
    event: (typeof commandEvents)[number],
    beside: Partial<Parameters<typeof advanced>[2]> = {},
    isCut = false,
  ): void {
    const step = advanced(this.command, event, {
      nowMs: this.nowMs,
      answerMs: answerMsOf(this.command, false, COMMAND_TIMES),
      ...beside,
    });
    if (step === undefined) return;
    this.command = { ...step.to };
    // Cut: the process ended when the step was written and nothing was sent yet.
    if (step.sends !== undefined && this.isThere && !isCut) this.toDevice.push(step.sends);
  }

  look(isCut = false): void {
    const hearer = { isThere: this.isThere, isPlain: false };
    if (this.command.state === 'queued' && this.isThere && this.nowMs < EXPIRES_MS) {
      this.happen('send', {}, isCut);
      return;
    }
    if (this.command.dueMs === null || this.command.dueMs > this.nowMs) return;
    const due = overdue(this.command, hearer, COMMAND_TIMES, this.nowMs);
    if (due === undefined) return;
    if ('event' in due) this.happen(due.event, {}, isCut);
    else this.command = { ...this.command, dueMs: due.untilMs };
  }

  /** The device takes what waits for it; the same id it does once. */
  deviceHears(place: number, isDouble: boolean): void {
    const message = this.toDevice[place % Math.max(1, this.toDevice.length)];
    if (message === undefined) return;
    if (!isDouble) this.toDevice.splice(place % this.toDevice.length, 1);
    if (message === 'reading') {
      this.toPortal.push({ isReading: true, code: ResultCode.ok, value: this.value });
      return;
    }
    if (this.result === undefined) {
      const { code, readsBack, sticks } = this.nature;
      if (code === ResultCode.ok) {
        this.applied += 1;
        if (sticks) this.value = WANTED;
      }
      this.result = { isReading: false, code, value: readsBack ? this.value : undefined };
    }
    this.toPortal.push(this.result);
  }

  portalHears(place: number, isDouble: boolean): void {
    const answer = this.toPortal[place % Math.max(1, this.toPortal.length)];
    if (answer === undefined) return;
    if (!isDouble) this.toPortal.splice(place % this.toPortal.length, 1);
    const values: Record<string, number> = answer.value === undefined ? {} : { [LIMIT]: answer.value };
    const isDone = isAsWanted(this.command, values);
    if (answer.isReading) this.happen(isDone ? 'readAsWanted' : 'readOtherwise', { values });
    else this.happen(eventOfResult('write', answer.code, isDone), { word: { code: answer.code, message: '' }, values });
  }

  tells(): void {
    const values = { [LIMIT]: this.value };
    const event = toldEvent(this.command, values, { isThere: true, isPlain: false }, false);
    if (event !== undefined) this.happen(event, { values });
  }

  comes(): void {
    this.isThere = true;
    const event = backEvent(this.command, { isThere: true, isPlain: false }, COMMAND_TIMES, this.nowMs);
    if (event !== undefined) this.happen(event);
  }

  /** Time goes on without anything coming through any more. */
  silence(): void {
    for (let times = 0; times < 100 && this.command.dueMs !== null; times += 1) {
      this.nowMs = Math.max(this.nowMs, this.command.dueMs);
      this.look();
      this.toDevice.length = 0;
    }
  }
}

type Act = (world: World) => void;

const place = fc.nat({ max: 3 });
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Act>((world) => world.look()) },
  {
    weight: 4,
    arbitrary: fc.tuple(place, fc.boolean()).map(
      ([at, twice]): Act =>
        (world) =>
          world.deviceHears(at, twice),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(place, fc.boolean()).map(
      ([at, twice]): Act =>
        (world) =>
          world.portalHears(at, twice),
    ),
  },
  fc.constant<Act>((world) => world.look(true)),
  fc.constant<Act>((world) => void world.toDevice.shift()),
  fc.constant<Act>((world) => void world.toPortal.shift()),
  fc.integer({ min: 1, max: 90_000 }).map(
    (ms): Act =>
      (world) => {
        world.nowMs += ms;
      },
  ),
  fc.constant<Act>((world) => {
    world.isThere = false;
  }),
  fc.constant<Act>((world) => world.comes()),
  fc.constant<Act>((world) => world.tells()),
  fc.constant<Act>((world) => world.happen('cancel')),
  fc.constant<Act>((world) => world.happen('expire')),
);

const nature: fc.Arbitrary<Nature> = fc.record({
  code: fc.constantFrom(...Object.values(ResultCode)),
  readsBack: fc.boolean(),
  sticks: fc.boolean(),
});

const lived = fc.tuple(nature, fc.array(act, { maxLength: 60 })).map(([kind, acts]) => {
  const world = new World(kind);
  for (const each of acts) each(world);
  world.silence();
  return world;
});

describe('the way of a command', () => {
  it('ends, whatever is lost, doubled, late or restarted on either side', () => {
    fc.assert(
      fc.property(lived, ({ command }) => !isOpenCommand(command.state) && command.dueMs === null),
      { numRuns: 2_000 },
    );
  });

  it('ends though its device goes and comes again and again and never tells what it has', () => {
    const steps = fc.array(fc.integer({ min: 1, max: 60_000 }), { minLength: 100, maxLength: 100 });
    fc.assert(
      fc.property(steps, (waits) => {
        const world = new World({ code: ResultCode.ok, readsBack: false, sticks: true });
        world.look();
        world.deviceHears(0, false);
        world.portalHears(0, false);
        for (const ms of waits) {
          world.nowMs += ms;
          world.look();
          world.comes();
        }
        return waits.reduce((sum, ms) => sum + ms, 0) < EXPIRES_MS || !isOpenCommand(world.command.state);
      }),
    );
  });

  it('has the device do it once at most, sent no more often than may be', () => {
    fc.assert(
      fc.property(lived, ({ applied, command }) => applied <= 1 && command.tries <= COMMAND_TIMES.tries),
      { numRuns: 2_000 },
    );
  });

  it('is never recorded as done where the device says that it is not, nor as not done where it says that it is', () => {
    fc.assert(
      fc.property(lived, ({ command, nature: { code, sticks }, applied }) => {
        if (command.state === 'confirmed')
          expect({ code, sticks, applied }).toEqual({ code: 0, sticks: true, applied: 1 });
        if (command.state === 'refused') expect(applied).toBe(0);
        if (command.state === 'cancelled') expect(applied).toBe(0);
        if (command.state === 'expired') expect(applied).toBe(0);
        if (command.state === 'differs') expect(code === 0 ? sticks : false).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is known in the end where the device still answers, though it had been given up', () => {
    fc.assert(
      fc.property(lived, (world) => {
        fc.pre(world.command.state === 'timedOut' && world.result !== undefined);
        world.isThere = true;
        if (world.result !== undefined) world.toPortal.splice(0, world.toPortal.length, world.result);
        world.portalHears(0, false);
        for (let times = 0; times < 2; times += 1) {
          if (world.toDevice.length > 0) world.deviceHears(world.toDevice.length - 1, false);
          if (world.toPortal.length > 0) world.portalHears(world.toPortal.length - 1, false);
        }
        expect(['timedOut', 'sent', 'acknowledged', 'queued']).not.toContain(world.command.state);
      }),
      { numRuns: 1_000 },
    );
  });

  it('goes nowhere from an end that the device itself has told', () => {
    for (const state of commandStates) {
      if (isOpenCommand(state) || state === 'timedOut') continue;
      for (const event of commandEvents) expect(stepOf({ state, code: 0 }, event)).toBeUndefined();
    }
  });
});
