import { once } from 'node:events';
import WebSocket from 'ws';
import type { Plant } from '../plant/plant.ts';
import { pause, type Schedule } from './pause.ts';

/** Where a pile dials in: its id is the last part of the address. */
export interface OcppAccess {
  readonly address: string;
  readonly password: string;
}

export interface OcppPileOptions {
  readonly plant: Plant;
  readonly sn: string;
  readonly access: OcppAccess;
  readonly schedule: Schedule;
  readonly backoffMs: { low: number; high: number };
  onNote(note: string): void;
}

type Told = Record<string, unknown>;

/** A call that waits to be sent. What it says is made then: it may name a transaction whose number came meanwhile. */
interface Waiting {
  readonly method: string;
  params(): Told;
  answered?(answer: Told): void;
}

interface Transaction {
  id: number;
  readonly fromWh: number;
}

const REPORT_MS = 10_000;
const HEARTBEAT_REPORTS = 6;
const LEAST_A = 6;
const PHASES = 3;
const VOLTAGE_V = 230;
/** What a pile without a connection keeps at most: a day of readings. */
const MOST_WAITING = 9_000;

/** A charging pile that speaks OCPP 1.6J and does what it is told; what it could not tell it tells later. */
export class OcppPile {
  readonly #options: OcppPileOptions;
  readonly #waiting: Waiting[] = [];
  readonly #pending = new Map<string, (answer: Told) => void>();
  #socket: WebSocket | undefined;
  #status = '';
  #transaction: Transaction | undefined;
  #isAllowed = true;
  #periods: readonly { fromMs: number; limitA: number }[] = [];
  #sent = 0;
  #reports = 0;
  #isSending = false;

  constructor(options: OcppPileOptions) {
    this.#options = options;
  }

  /** Reports until stopped, and connects again after each loss. */
  async run(signal: AbortSignal, advance: () => number): Promise<void> {
    const { schedule } = this.#options;
    const connecting = this.#connect(signal);
    while (!signal.aborted) {
      this.#offer(schedule.now());
      this.report(advance());
      await pause(schedule, REPORT_MS, signal);
    }
    this.#socket?.terminate();
    await connecting;
  }

  /** Tells what the plant's physics have made of it until now. */
  report(tsMs: number): void {
    const { plant, sn } = this.#options;
    const unit = plant.chargers.find(({ device }) => device.sn === sn);
    const wh = plant.state.piles[sn]?.energyWh ?? 0;
    const powerW = unit?.powerW ?? 0;
    const isPlugged = unit?.isPlugged === true;
    if (!isPlugged) this.#isAllowed = true;
    const runs = isPlugged && this.#isAllowed;
    if (runs && this.#transaction === undefined) this.#begin(tsMs, wh);
    if (!runs && this.#transaction !== undefined) this.#end(this.#transaction, tsMs, wh, isPlugged);
    const status = this.#statusOf(isPlugged, runs, powerW);
    if (status !== this.#status) this.#tellStatus(status);
    const transaction = this.#transaction;
    if (transaction !== undefined) this.#tellReadings(transaction, tsMs, wh, powerW);
    else if (this.#reports % HEARTBEAT_REPORTS === 0 && this.#socket !== undefined)
      this.#put({ method: 'Heartbeat', params: () => ({}) });
    this.#reports += 1;
  }

  #statusOf(isPlugged: boolean, runs: boolean, powerW: number): string {
    const { plant, sn } = this.#options;
    if (plant.faults.has(sn, 'pile-fault', plant.tsMs)) return 'Faulted';
    if (!isPlugged) return 'Available';
    if (!runs) return 'Finishing';
    if (powerW > 0) return 'Charging';
    return (plant.offersW.get(sn) ?? 1) > 0 ? 'SuspendedEV' : 'SuspendedEVSE';
  }

  #begin(tsMs: number, wh: number): void {
    const transaction: Transaction = { id: 0, fromWh: wh };
    this.#transaction = transaction;
    const timestamp = new Date(tsMs).toISOString();
    this.#put({
      method: 'StartTransaction',
      params: () => ({ connectorId: 1, idTag: 'simulated', meterStart: Math.round(wh), timestamp }),
      answered: ({ transactionId }) => {
        transaction.id = Number(transactionId);
      },
    });
  }

  #end(transaction: Transaction, tsMs: number, wh: number, isPlugged: boolean): void {
    this.#transaction = undefined;
    const timestamp = new Date(tsMs).toISOString();
    const reason = isPlugged ? 'Remote' : 'EVDisconnected';
    this.#put({
      method: 'StopTransaction',
      params: () => ({ transactionId: transaction.id, meterStop: Math.round(wh), timestamp, reason }),
    });
  }

  #tellStatus(status: string): void {
    this.#status = status;
    const errorCode = status === 'Faulted' ? 'GroundFailure' : 'NoError';
    this.#put({ method: 'StatusNotification', params: () => ({ connectorId: 1, status, errorCode }) });
  }

  #tellReadings(transaction: Transaction, tsMs: number, wh: number, powerW: number): void {
    const value = (measurand: string, number: number, unit: string) => ({ measurand, unit, value: number.toFixed(1) });
    const timestamp = new Date(tsMs).toISOString();
    const sampledValue = [
      value('Energy.Active.Import.Register', wh, 'Wh'),
      value('Power.Active.Import', powerW, 'W'),
      value('Current.Import', powerW / VOLTAGE_V / PHASES, 'A'),
      value('Voltage', VOLTAGE_V, 'V'),
    ];
    this.#put({
      method: 'MeterValues',
      params: () => ({ connectorId: 1, transactionId: transaction.id, meterValue: [{ timestamp, sampledValue }] }),
    });
  }

  #put(call: Waiting): void {
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push(call);
    void this.#send();
  }

  /** One after the other, each until it is answered. What is not answered is sent again on the next connection. */
  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      for (let [next] = this.#waiting; next !== undefined && this.#socket !== undefined; [next] = this.#waiting) {
        const answer = await this.#call(next.method, next.params());
        this.#waiting.shift();
        next.answered?.(answer);
      }
    } catch {
      // The connection is lost; the call stays where it is.
    } finally {
      this.#isSending = false;
    }
  }

  #call(method: string, params: Told): Promise<Told> {
    const socket = this.#socket;
    if (socket === undefined) return Promise.reject(new Error('not connected'));
    this.#sent += 1;
    const id = `${this.#sent}`;
    return new Promise((resolve, reject) => {
      const lost = () => reject(new Error('connection lost'));
      socket.once('close', lost);
      this.#pending.set(id, (answer) => {
        socket.off('close', lost);
        resolve(answer);
      });
      socket.send(JSON.stringify([2, id, method, params]));
    });
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const { access, schedule, backoffMs, onNote, sn } = this.#options;
    const id = access.address.split('/').at(-1) ?? '';
    const authorization = `Basic ${Buffer.from(`${id}:${access.password}`).toString('base64')}`;
    while (!signal.aborted) {
      const socket = new WebSocket(access.address, ['ocpp1.6'], { headers: { authorization } });
      socket.on('error', (error) => onNote(`${sn} cannot dial in: ${error.message}`));
      socket.on('message', (data) => this.#take(socket, JSON.parse(String(data)) as unknown[]));
      socket.on('open', () => void this.#opened(socket));
      await once(socket, 'close').catch(() => undefined);
      this.#socket = undefined;
      this.#pending.clear();
      await pause(schedule, backoffMs.high, signal);
    }
  }

  async #opened(socket: WebSocket): Promise<void> {
    this.#socket = socket;
    const boot = { chargePointVendor: 'Simulated', chargePointModel: 'SW-P11', firmwareVersion: '2.2.5' };
    await this.#call('BootNotification', boot).catch(() => undefined);
    if (this.#status !== '') this.#tellStatus(this.#status);
    void this.#send();
  }

  #take(socket: WebSocket, [type, id, method, params]: unknown[]): void {
    if (type === 2) {
      socket.send(JSON.stringify([3, id, this.#do(String(method), params as Told)]));
      return;
    }
    const answered = this.#pending.get(String(id));
    this.#pending.delete(String(id));
    answered?.((type === 3 ? method : {}) as Told);
  }

  /** Does what it is asked, and says whether it does. */
  #do(method: string, params: Told): Told {
    switch (method) {
      case 'RemoteStartTransaction':
      case 'RemoteStopTransaction':
        this.#isAllowed = method === 'RemoteStartTransaction';
        this.#offer(this.#options.schedule.now());
        return { status: 'Accepted' };
      case 'SetChargingProfile':
        this.#takeProfile(params);
        return { status: 'Accepted' };
      case 'TriggerMessage':
        if (this.#status !== '') this.#tellStatus(this.#status);
        return { status: 'Accepted' };
      case 'ChangeConfiguration':
        return { status: 'Accepted' };
      case 'GetConfiguration':
        return { configurationKey: [], unknownKey: [] };
      default:
        return { status: 'NotSupported' };
    }
  }

  #takeProfile({ csChargingProfiles }: Told): void {
    const { chargingSchedule } = csChargingProfiles as {
      chargingSchedule: { chargingSchedulePeriod: { startPeriod: number; limit: number }[] };
    };
    const nowMs = this.#options.schedule.now();
    this.#periods = chargingSchedule.chargingSchedulePeriod.map(({ startPeriod, limit }) => ({
      fromMs: nowMs + startPeriod * 1_000,
      limitA: limit,
    }));
    this.#offer(nowMs);
  }

  /** Has the vehicle draw no more than the profile lets it now. */
  #offer(nowMs: number): void {
    const { plant, sn } = this.#options;
    const limitA = this.#periods.findLast(({ fromMs }) => fromMs <= nowMs)?.limitA;
    if (!this.#isAllowed) plant.offersW.set(sn, 0);
    else if (limitA === undefined) plant.offersW.delete(sn);
    else plant.offersW.set(sn, limitA < LEAST_A ? 0 : limitA * VOLTAGE_V * PHASES);
  }
}
