import type { firmwareStates } from '@sonnenwarte/contract/chargers/chargers';

/** States of a connector as OCPP 1.6 names them, with the numbers of the point Pile/Status. */
export const statusNumbers = {
  available: 1,
  preparing: 2,
  charging: 3,
  suspendedEvse: 4,
  suspendedEv: 5,
  finishing: 6,
  reserved: 7,
  unavailable: 8,
  faulted: 9,
} as const;
export type PileStatus = keyof typeof statusNumbers;

/** What a pile measured at one time; what it did not tell is absent. */
export interface PileReading {
  tsMs: number;
  powerW?: number;
  voltageV?: number;
  /** Of the phase that carries most. */
  currentA?: number;
  offeredA?: number;
  /** Of its meter, Wh; counts on over sessions with most makers, from 0 in each with some. */
  energyWh?: number;
  socPercent?: number;
}

/** A part of what is told of a transaction; parts come in any order, late, and more than once. */
export interface TransactionPart {
  /** Undefined where the pile never learned its number. */
  transaction: string | undefined;
  /** Its number was given by the portal: one that is not known is none. */
  isNumberedHere?: boolean;
  /** 0 where it is not told. */
  connector: number;
  began?: { tsMs: number; wh: number | undefined };
  ended?: { tsMs: number; wh: number | undefined; reason: string };
  readings: readonly PileReading[];
}

export type FirmwareState = (typeof firmwareStates)[number];

/** What a pile tells, whichever version of OCPP it speaks. */
export type PileEvent =
  | { kind: 'boot'; vendor: string; model: string; firmware: string }
  /** `ofTransaction`: as a transaction tells it, which may run without a vehicle. */
  | { kind: 'status'; connector: number; status: PileStatus; errorCode: string; ofTransaction?: boolean }
  | { kind: 'firmware'; state: FirmwareState }
  | { kind: 'heartbeat' }
  | { kind: 'readings'; connector: number; readings: readonly PileReading[] }
  /** A transaction to which the portal gives the number. `isUndated`: the clock of its pile is wrong, and it begins now. */
  | { kind: 'begin'; connector: number; tsMs: number; isUndated: boolean; wh: number | undefined }
  | { kind: 'transaction'; part: TransactionPart };

/** What the pile is answered to a call. */
export type Answer = Record<string, unknown>;

/** A call as one version of OCPP puts it, read; `answer` is made once what it tells is kept. */
export interface ReadCall {
  events: readonly PileEvent[];
  answer(now: Date, transaction: string | undefined): Answer;
}

/** Seconds after which a pile gives a sign of life. */
export const HEARTBEAT_S = 60;
/** Seconds between the readings of a session. */
export const READING_S = 10;
