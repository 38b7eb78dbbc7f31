import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { LiveBus } from '../changes/live-bus.ts';
import type { Database } from '../stores/schema.ts';
import { allBrands, type Brand } from './brand-of.ts';

/** All brands by their domains, held so that the page looks right also while the database does not answer. */
export class BrandBook {
  readonly #db: Kysely<Database>;
  #byDomain: ReadonlyMap<string, Brand> = new Map();
  #reading: Promise<void> = Promise.resolve();

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  /** Reads again whenever somebody has changed one; answers the function that ends this. */
  follow(bus: Pick<LiveBus, 'subscribe'>, logger: Logger): () => void {
    return bus.subscribe(({ brands, missed }) => {
      if (brands !== true && !missed) return;
      this.read().catch((error: unknown) => logger.warn({ err: error }, 'brands cannot be read'));
    });
  }

  /** Reads all, after whatever is being read: what was true when this was asked for is held then. */
  read(): Promise<void> {
    const next = this.#reading
      .catch(() => undefined)
      .then(async () => {
        const brands = await allBrands(this.#db);
        this.#byDomain = new Map(brands.map((brand) => [brand.domain, brand]));
      });
    this.#reading = next;
    return next;
  }

  /** The brand whose domain this is, letter by letter. */
  at(host: string): Brand | undefined {
    return this.#byDomain.get(host);
  }
}
