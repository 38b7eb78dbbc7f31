import { afterAll, beforeAll } from 'vitest';
import { startTestIngestion, startTestStores, type TestIngestion, type TestStores } from './ingestion.ts';

type Options = Parameters<typeof startTestIngestion>[1];

/** Stores and ingestion of a test file. */
export class OwnIngestion {
  readonly #options: Options;
  #stores: TestStores | undefined;
  #ingestion: TestIngestion | undefined;

  constructor(options?: Options) {
    this.#options = options;
  }

  get stores(): TestStores {
    if (this.#stores === undefined) throw new Error('the stores are not started');
    return this.#stores;
  }

  get ingestion(): TestIngestion {
    if (this.#ingestion === undefined) throw new Error('the ingestion is not started');
    return this.#ingestion;
  }

  /** Starts what does not run, ingestion anew after it was stopped. */
  async start(): Promise<void> {
    this.#stores ??= await startTestStores();
    this.#ingestion = await startTestIngestion(this.#stores, this.#options);
  }

  async restart(): Promise<void> {
    await this.ingestion.stop();
    await this.start();
  }

  async end(): Promise<void> {
    await this.#ingestion?.stop();
    await this.#stores?.stop();
  }

  async rows<T>(query: string): Promise<T[]> {
    return (await this.stores.telemetry.client.query({ query, format: 'JSONEachRow' })).json<T>();
  }

  async keyOf(sn: string): Promise<number> {
    const device = this.stores.db.selectFrom('devices').select('key').where('sn', '=', sn);
    return (await device.executeTakeFirstOrThrow()).key;
  }
}

/** They run from before the first test of the file until after its last. */
export function ownIngestion(options?: Options): OwnIngestion {
  const own = new OwnIngestion(options);
  beforeAll(() => own.start());
  afterAll(() => own.end());
  return own;
}
