import { clockCommand, historyCommand, rebirthCommand } from '@sonnenwarte/device-protocol/sparkplug/commands';
import { encodePayload, type SparkplugPayload } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import { GROUP, sparkplugTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import type { Logger } from 'pino';
import type { MessageSource } from '../../broker/message-source.ts';
import type { DataloggerEntry } from '../registry/plant-model.ts';
import type { Registry } from '../registry/registry.ts';

const REBIRTH_AGAIN_AFTER_MS = 60_000;
const REBIRTH_JITTER_MS = 300;
const CLOCK_AGAIN_AFTER_MS = 60_000;
/** Samples that were sent before a loss was noticed are asked for again. */
const HOLE_MARGIN_MS = 5 * 60_000;

/** What the host says to dataloggers. */
export class DataloggerCommands {
  readonly #registry: Registry;
  readonly #logger: Logger;
  readonly #source: () => MessageSource | undefined;
  #isStopped = false;

  constructor({ registry, logger }: { registry: Registry; logger: Logger }, source: () => MessageSource | undefined) {
    this.#registry = registry;
    this.#logger = logger;
    this.#source = source;
  }

  stop(): void {
    this.#isStopped = true;
    for (const datalogger of this.#registry.dataloggers) clearTimeout(datalogger.rebirthTimer);
  }

  /** Sends a command to a logger, or to one of its devices. */
  async send(sn: string, device: string | undefined, payload: SparkplugPayload): Promise<void> {
    const group = this.#registry.dataloggerBySn(sn)?.group || GROUP;
    const topic = device === undefined ? sparkplugTopic(group, 'NCMD', sn) : sparkplugTopic(group, 'DCMD', sn, device);
    await this.#source()?.publish(topic, Buffer.from(encodePayload(payload)));
  }

  /** Asks a logger for all its births, at most once a minute, and for the samples of a hole. */
  requestRebirth(datalogger: DataloggerEntry): void {
    if (datalogger.rebirthTimer !== undefined || this.#isStopped) return;
    const waitMs = Math.max(0, datalogger.rebirthAskedMs + REBIRTH_AGAIN_AFTER_MS - Date.now());
    datalogger.rebirthTimer = setTimeout(
      () => {
        datalogger.rebirthTimer = undefined;
        datalogger.rebirthAskedMs = Date.now();
        this.#tell(datalogger, rebirthCommand());
        if (datalogger.holeFromMs === 0) return;
        this.#tell(datalogger, historyCommand(datalogger.holeFromMs - HOLE_MARGIN_MS, Date.now()));
        datalogger.holeFromMs = 0;
      },
      waitMs + Math.random() * REBIRTH_JITTER_MS,
    );
    datalogger.rebirthTimer.unref();
  }

  /** A logger that is gone is asked for nothing. */
  forget(datalogger: DataloggerEntry): void {
    clearTimeout(datalogger.rebirthTimer);
    datalogger.rebirthTimer = undefined;
  }

  /** Tells a logger the time, at most once a minute. */
  setClock(datalogger: DataloggerEntry, nowMs: number): void {
    if (nowMs - datalogger.clockAskedMs < CLOCK_AGAIN_AFTER_MS) return;
    datalogger.clockAskedMs = nowMs;
    this.#tell(datalogger, clockCommand(nowMs));
  }

  #tell(datalogger: DataloggerEntry, payload: SparkplugPayload): void {
    this.send(datalogger.sn, undefined, payload).catch((error: unknown) => {
      this.#logger.debug({ err: error, sn: datalogger.sn }, 'cannot send a command');
    });
  }
}
