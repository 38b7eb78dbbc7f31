import type { IngestionMetrics } from '../metrics.ts';

export interface InboxLimits {
  /** What a sender may cost in the long run, in bytes a second, and at once. */
  bytesPerSecond: number;
  burstBytes: number;
  birthsPerMinute: number;
  burstBirths: number;
  /** Bytes of one sender that may wait before nothing more is read of it, and before what comes all the same is refused. */
  holdAboveBytes: number;
  mostWaitingBytes: number;
}

/** One sender's part is small beside what all may send; a backlog of an hour at the protocol's pace passes at once. */
export const inboxLimits: Readonly<InboxLimits> = {
  bytesPerSecond: 2 * 1024 * 1024,
  burstBytes: 8 * 1024 * 1024,
  birthsPerMinute: 300,
  burstBirths: 600,
  holdAboveBytes: 256 * 1024,
  mostWaitingBytes: 1024 * 1024,
};

export interface Letter {
  bytes: number;
  isBirth: boolean;
  /** Handles it and says what it cost, in bytes after inflating and with what it makes. */
  open(): number;
  /** Called instead when it will not be opened; its sender keeps it. */
  refuse(error: Error): void;
}

interface Lane {
  readonly sn: string;
  letters: Letter[];
  bytes: number;
  allowedBytes: number;
  allowedBirths: number;
  filledMs: number;
  /** It stands in line, or waits for its budget. */
  isInLine: boolean;
  isSocketHeld: boolean;
  /** The letter that was counted as held back. */
  heldLetter: Letter | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** The event loop is given back after this time. */
const SLICE_MS = 20;
/** Time counts as bytes: one sender takes no more than a fifth of the loop in the long run. */
const SHARE_OF_LOOP = 0.2;
const LONGEST_LAST_MS = 2_000;

/**
 * What comes in, one line for each sender. They take turns, a message each; one who is beyond its budget is held back, and with
 * the acknowledgement its socket. Nothing that waits here has been acknowledged.
 */
export class Inbox {
  readonly #limits: InboxLimits;
  readonly #held: IngestionMetrics['held'];
  readonly #bytesPerMs: number;
  readonly #hold: (sn: string, isHeld: boolean) => void;
  readonly #lanes = new Map<string, Lane>();
  #line: Lane[] = [];
  #isScheduled = false;
  #isStopped = false;
  /** Told once all is opened. */
  #waiting: (() => void)[] = [];

  /** `hold` is told of whom nothing more should be read, and when that has passed. */
  constructor(
    metrics: Pick<IngestionMetrics, 'held'>,
    limits: Partial<InboxLimits> = {},
    hold: (sn: string, isHeld: boolean) => void = () => undefined,
  ) {
    this.#hold = hold;
    this.#limits = { ...inboxLimits, ...limits };
    this.#held = metrics.held;
    this.#bytesPerMs = this.#limits.bytesPerSecond / (1_000 * SHARE_OF_LOOP);
  }

  get isEmpty(): boolean {
    for (const { letters } of this.#lanes.values()) if (letters.length > 0) return false;
    return true;
  }

  /** False where the sender has no room; the letter is then refused. */
  put(sn: string, letter: Letter): boolean {
    const lane = this.#laneOf(sn);
    const isFull = lane.letters.length > 0 && lane.bytes + letter.bytes > this.#limits.mostWaitingBytes;
    if (isFull || this.#isStopped) {
      letter.refuse(new Error(isFull ? 'too much of this sender waits' : 'the server stops'));
      return false;
    }
    lane.letters.push(letter);
    lane.bytes += letter.bytes;
    if (lane.bytes > this.#limits.holdAboveBytes) this.#holdSocket(lane, true);
    if (!lane.isInLine) {
      lane.isInLine = true;
      this.#line.push(lane);
    }
    this.#schedule();
    return true;
  }

  /** Forgets senders of whom nothing waits and whose budget is full. */
  tick(nowMs: number): void {
    for (const lane of this.#lanes.values()) {
      if (lane.letters.length > 0) continue;
      this.#fill(lane, nowMs);
      const { burstBytes, burstBirths } = this.#limits;
      if (lane.allowedBytes >= burstBytes && lane.allowedBirths >= burstBirths) this.#lanes.delete(lane.sn);
    }
  }

  /** Waits until all that is here has been opened. */
  async drain(): Promise<void> {
    while (!this.isEmpty) await new Promise<void>((done) => this.#waiting.push(done));
  }

  /** Opens what is here whatever it costs, for a little while, and refuses the rest. */
  stop(): void {
    this.#isStopped = true;
    const endMs = performance.now() + LONGEST_LAST_MS;
    for (const lane of this.#lanes.values()) {
      clearTimeout(lane.timer);
      for (const letter of lane.letters.splice(0)) {
        if (performance.now() < endMs) letter.open();
        else letter.refuse(new Error('the server stops'));
      }
    }
    this.#lanes.clear();
    this.#line = [];
    this.#tellIfEmpty();
  }

  #laneOf(sn: string): Lane {
    const known = this.#lanes.get(sn);
    if (known !== undefined) return known;
    const { burstBytes, burstBirths } = this.#limits;
    const lane: Lane = {
      sn,
      letters: [],
      bytes: 0,
      allowedBytes: burstBytes,
      allowedBirths: burstBirths,
      filledMs: performance.now(),
      isInLine: false,
      isSocketHeld: false,
      heldLetter: undefined,
      timer: undefined,
    };
    this.#lanes.set(sn, lane);
    return lane;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#line.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#work();
      this.#schedule();
    });
  }

  #work(): void {
    let nowMs = performance.now();
    const endMs = nowMs + SLICE_MS;
    let next = 0;
    while (next < this.#line.length && nowMs < endMs) {
      const lane = this.#line[next] as Lane;
      next += 1;
      const [letter] = lane.letters;
      if (letter === undefined) {
        lane.isInLine = false;
        continue;
      }
      const waitMs = this.#waitOf(lane, letter, nowMs);
      if (waitMs > 0) {
        this.#wait(lane, waitMs);
        continue;
      }
      lane.letters.shift();
      lane.heldLetter = undefined;
      lane.bytes -= letter.bytes;
      if (lane.isSocketHeld && lane.bytes <= this.#limits.holdAboveBytes / 2) this.#holdSocket(lane, false);
      const cost = letter.open();
      const beganMs = nowMs;
      nowMs = performance.now();
      lane.allowedBytes -= Math.max(cost, (nowMs - beganMs) * this.#bytesPerMs);
      if (letter.isBirth) lane.allowedBirths -= 1;
      if (lane.letters.length > 0) this.#line.push(lane);
      else lane.isInLine = false;
    }
    this.#line.splice(0, next);
    this.#tellIfEmpty();
  }

  #tellIfEmpty(): void {
    if (this.#waiting.length === 0 || !this.isEmpty) return;
    for (const done of this.#waiting.splice(0)) done();
  }

  /** How long a lane must wait until its next letter may be opened. */
  #waitOf(lane: Lane, letter: Letter, nowMs: number): number {
    this.#fill(lane, nowMs);
    const { bytesPerSecond, birthsPerMinute } = this.#limits;
    const forBytesMs = (-lane.allowedBytes / bytesPerSecond) * 1_000;
    const forBirthsMs = letter.isBirth ? ((1 - lane.allowedBirths) / birthsPerMinute) * 60_000 : 0;
    if (forBytesMs <= 0 && forBirthsMs <= 0) return 0;
    if (lane.heldLetter !== letter) this.#held.inc({ reason: forBirthsMs > forBytesMs ? 'births' : 'bytes' });
    lane.heldLetter = letter;
    return Math.max(forBytesMs, forBirthsMs);
  }

  #fill(lane: Lane, nowMs: number): void {
    const { bytesPerSecond, burstBytes, birthsPerMinute, burstBirths } = this.#limits;
    const tookMs = nowMs - lane.filledMs;
    lane.filledMs = nowMs;
    lane.allowedBytes = Math.min(burstBytes, lane.allowedBytes + (tookMs / 1_000) * bytesPerSecond);
    lane.allowedBirths = Math.min(burstBirths, lane.allowedBirths + (tookMs / 60_000) * birthsPerMinute);
  }

  #holdSocket(lane: Lane, isHeld: boolean): void {
    lane.isSocketHeld = isHeld;
    this.#hold(lane.sn, isHeld);
  }

  #wait(lane: Lane, waitMs: number): void {
    lane.timer = setTimeout(() => {
      this.#line.push(lane);
      this.#schedule();
    }, waitMs);
  }
}
