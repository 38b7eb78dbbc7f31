import { randomBytes, randomUUID } from 'node:crypto';
import type { Level } from '@sonnenwarte/contract/levels';
import type { Kysely } from 'kysely';
import { type DemoOrganisation, demoAccounts, demoOrganisationId, integratorInverters } from '../demo/tenancy.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** Whose record is made: one within the account's reach, or one beyond it. */
export type Whose = 'own' | 'strangers';

/** Plants by their place in the demonstration: the first beyond the reach of each account. */
const strangersPlant: Readonly<Record<string, number>> = { owner: 2, installer: 5, agent: 8, distributor: 10 };
/** The organisation in which a stranger to the account stands. */
const strangersOrganisation: Readonly<Record<string, DemoOrganisation>> = {
  owner: 'installer-2',
  installer: 'installer-2',
  agent: 'agent-2',
  distributor: 'distributor-2',
};

/** Plants, organisations and accounts of the demonstration, by whose they are to an account. */
export class RecordPlaces {
  readonly db: Db;
  readonly platform: string;
  /** In the order of the demonstration. */
  readonly sites: readonly string[];

  constructor(db: Db, platform: string, sites: readonly string[]) {
    this.db = db;
    this.platform = platform;
    this.sites = sites;
  }

  hides(user: string, whose: Whose): boolean {
    return user === 'admin' && whose === 'strangers';
  }

  site(user: string, whose: Whose): string {
    return this.sites.at(whose === 'own' ? 0 : (strangersPlant[user] ?? -1)) ?? '';
  }

  async device(user: string, whose: Whose): Promise<{ id: string; sn: string }> {
    const inverters = this.db.selectFrom('devices').select(['id', 'sn']).where('kind', '=', 'inverter').orderBy('key');
    if (user === 'integrator' && whose === 'own') {
      return inverters.where('sn', '=', integratorInverters[0] ?? '').executeTakeFirstOrThrow();
    }
    return inverters.where('site_id', '=', this.site(user, whose)).executeTakeFirstOrThrow();
  }

  async accountId(user: string): Promise<string> {
    const account = await this.db
      .selectFrom('accounts')
      .select('id')
      .where('username', '=', user)
      .executeTakeFirstOrThrow();
    return account.id;
  }

  async someoneElse(user: string): Promise<string> {
    return this.accountId(user === 'owner' ? 'installer' : 'owner');
  }

  async organisation(user: string, whose: Whose): Promise<string> {
    const stranger = strangersOrganisation[user];
    if (whose === 'strangers' && stranger) return this.below(demoOrganisationId(stranger), false);
    if (whose === 'strangers') return this.below(this.platform, true);
    const own = demoAccounts.find((account) => account.user === user)?.organisation ?? 'platform';
    return this.below(own === 'platform' ? this.platform : demoOrganisationId(own), false);
  }

  installer(): Promise<string> {
    return this.below(demoOrganisationId('agent'), false);
  }

  async below(parentID: string, deleted: boolean): Promise<string> {
    const parent = await this.db
      .selectFrom('organisations')
      .select(['path', 'kind'])
      .where('id', '=', parentID)
      .executeTakeFirstOrThrow();
    const kind = { platform: 'distributor', distributor: 'agent', agent: 'installer', installer: 'installer' } as const;
    const id = randomUUID();
    await this.db
      .insertInto('organisations')
      .values({
        id,
        parent_id: parentID,
        kind: kind[parent.kind],
        name: `Made ${id.slice(0, 8)}`,
        country: 'DE',
        path: [...parent.path, id],
        disabled_at: null,
        deleted_at: deleted ? new Date() : null,
      })
      .execute();
    return id;
  }

  async account(organisationID: string, { level, deleted }: { level: Level; deleted: boolean }): Promise<string> {
    const name = `made-${randomBytes(5).toString('hex')}`;
    const { id } = await this.db
      .insertInto('accounts')
      .values({
        organisation_id: organisationID,
        username: name,
        email: `${name}@example.com`,
        password_hash: '',
        level,
        name,
        country: 'DE',
        language: null,
        disabled_at: null,
        deleted_at: deleted ? new Date() : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async ownOrganisation(user: string, whose: Whose): Promise<string> {
    if (whose === 'strangers') return this.organisation(user, whose);
    const own = demoAccounts.find((account) => account.user === user)?.organisation ?? 'platform';
    return own === 'platform' ? this.platform : demoOrganisationId(own);
  }
}
