import { burnInEndpoints as calls } from '@sonnenwarte/contract/burn-in/burn-in';
import type { Input } from '@sonnenwarte/contract/endpoint';
import { pointByName } from '@sonnenwarte/device-protocol/points/points';
import { judgeRuns } from '../burn-in/round.ts';
import { ManualClock } from './manual-clock.ts';
import { PlantsFixture } from './plants-fixture.ts';
import { signedRequest } from './portal.ts';
import { readPdf } from './read-pdf.ts';

/** What an inverter tells each ten seconds of a minute; nothing where undefined. */
export interface Told {
  readonly powerW: number;
  readonly temperatureC?: number;
  readonly voltageV?: number;
  readonly dcW?: number;
}

const stepsOf = (name: string): number => pointByName('inverter', name)?.steps ?? 1;

/** A rack at the factory: who looks after it, its inverters behind a datalogger in no plant, and a clock that stands. */
export class BurnInRack {
  readonly plants: PlantsFixture;
  readonly clock: ManualClock;
  readonly token: string;
  readonly #loggerId: string;

  private constructor(plants: PlantsFixture, clock: ManualClock, token: string, loggerId: string) {
    this.plants = plants;
    this.clock = clock;
    this.token = token;
    this.#loggerId = loggerId;
  }

  static async start(startMs: number): Promise<BurnInRack> {
    const clock = new ManualClock(startMs);
    const plants = await PlantsFixture.start(() => clock);
    plants.time.nowMs = startMs;
    const platform = await plants.addOrganisation('platform');
    const admin = await plants.addAccount(platform.id, 255);
    const { id } = await plants.addDatalogger(null);
    return new BurnInRack(plants, clock, plants.signIn(admin as never), id);
  }

  get nowMs(): number {
    return this.plants.time.nowMs ?? 0;
  }

  passUntil(nowMs: number): void {
    this.plants.time.nowMs = nowMs;
  }

  addInverter(sn: string, ratedW = 10_000) {
    return this.plants.addDevice(null, this.#loggerId, { sn, rated_power_w: ratedW, model: 'HX-10K' });
  }

  async addPlan(plan: Partial<Input<typeof calls.planAdd>> & { name: string }): Promise<string> {
    const facts = { durationMinutes: 60, steps: [{ minutes: 60, percent: 100 }], limits: {}, ...plan };
    await this.plants.read(calls.planAdd, facts, this.token);
    const { choices } = await this.plants.read(calls.plans, { search: plan.name }, this.token);
    return choices[0]?.id ?? '';
  }

  async run(planID: string, sns: string[], more: Partial<Input<typeof calls.add>> = {}): Promise<string> {
    const { runID } = await this.plants.read(calls.add, { planID, rack: 'R1', sns, ...more }, this.token);
    await this.plants.read(calls.start, { runID }, this.token);
    return runID;
  }

  /** A round of judging now. */
  judge(listeningSinceMs: number): Promise<void> {
    const { db, stores, commands } = this.plants;
    const telemetry = stores.telemetry.client;
    return judgeRuns({ db, telemetry, commands, nowMs: () => this.nowMs, listeningSinceMs });
  }

  /** A certificate or report as it is read. */
  async pdfOf(endpoint: typeof calls.certificate | typeof calls.runReport, input: unknown, lang = 'en') {
    const options = { token: this.token, lang, timestamp: String(this.nowMs) };
    const [address, init] = signedRequest(this.plants.url, endpoint, input, options);
    const response = await fetch(address, init);
    if (response.headers.get('content-type') !== 'application/pdf') throw new Error(await response.text());
    return readPdf(new Uint8Array(await response.arrayBuffer()));
  }

  /** Tells of minutes from one on, as many as the answers are asked for. */
  async tell(key: number, fromMs: number, minutes: number, told: (minute: number) => Told | undefined): Promise<void> {
    const rows = Array.from({ length: minutes * 6 }, (_, place) => {
      const values = told(Math.floor(place / 6));
      const ts = new Date(fromMs + place * 10_000).toISOString().replace('T', ' ').replace('Z', '');
      return (
        values && {
          device: key,
          ts,
          received: ts,
          // In the steps of their points.
          ac_active_power_n: Math.round(values.powerW) * stepsOf('AC/ActivePower'),
          dc_power_n: Math.round(values.dcW ?? values.powerW / 0.97) * stepsOf('DC/Power'),
          temp_heatsink_n: Math.round((values.temperatureC ?? 45) * stepsOf('Temp/Heatsink')),
          ac_l1_voltage_n: Math.round((values.voltageV ?? 230) * stepsOf('AC/L1/Voltage')),
          ac_frequency_n: Math.round(50 * stepsOf('AC/Frequency')),
        }
      );
    }).filter((row) => row !== undefined);
    if (rows.length > 0) await this.plants.insert('raw_inverter', rows);
  }

  async stop(): Promise<void> {
    await this.plants.stop();
  }
}
