import { randomBytes, randomUUID } from 'node:crypto';
import type { RecordKind } from '@sonnenwarte/contract/endpoint';
import type { Level } from '@sonnenwarte/contract/levels';
import type { Kysely } from 'kysely';
import { type DemoOrganisation, demoAccounts, demoOrganisationId, integratorInverters } from '../demo/tenancy.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** Whose record is made: one within the account's reach, or one beyond it. */
export type Whose = 'own' | 'strangers';

const day = 86_400_000;
/** Plants by their place in the demonstration: the first beyond the reach of each account. */
const strangersPlant: Readonly<Record<string, number>> = { owner: 2, installer: 5, agent: 8, distributor: 10 };
/** The organisation in which a stranger to the account stands. */
const strangersOrganisation: Readonly<Record<string, DemoOrganisation>> = {
  owner: 'installer-2',
  installer: 'installer-2',
  agent: 'agent-2',
  distributor: 'distributor-2',
};

/** Makes records for the generated access test: fresh ones wherever a call could change or delete them. */
export class RecordMaker {
  readonly #db: Db;
  readonly #platform: string;
  readonly #sites: readonly string[];

  private constructor(db: Db, platform: string, sites: readonly string[]) {
    this.#db = db;
    this.#platform = platform;
    this.#sites = sites;
  }

  static async open(db: Db): Promise<RecordMaker> {
    const { id } = await db
      .selectFrom('organisations')
      .select('id')
      .where('kind', '=', 'platform')
      .executeTakeFirstOrThrow();
    const sites = await db.selectFrom('sites').select('id').orderBy('key').execute();
    // Nobody's site is out of the platform's sight until it is deleted.
    await db
      .updateTable('sites')
      .set({ deleted_at: new Date() })
      .where('id', '=', sites.at(-1)?.id ?? '')
      .execute();
    return new RecordMaker(
      db,
      id,
      sites.map((site) => site.id),
    );
  }

  /** Id (or serial number) of a record of the kind. */
  async make(kind: RecordKind, user: string, whose: Whose): Promise<string> {
    switch (kind) {
      case 'site':
        return this.#site(user, whose);
      case 'device':
        return (await this.#device(user, whose)).id;
      case 'deviceSn':
        return (await this.#device(user, whose)).sn;
      case 'pile':
        return this.#pile(user, whose);
      case 'datalogger':
        return this.#datalogger(user, whose);
      case 'organisation':
        return this.#organisation(user, whose);
      case 'account':
        return this.#account(await this.#organisation(user, whose), { level: 1, deleted: this.#hides(user, whose) });
      case 'integrator':
        return this.#account(this.#platform, { level: 10, deleted: whose === 'strangers' });
      case 'member':
        return this.#account(await this.#installer(), { level: 2, deleted: whose === 'strangers' });
      case 'department':
        return whose === 'own' ? this.#department() : randomUUID();
      case 'permissionGroup':
        return whose === 'own' ? this.#permissionGroup() : randomUUID();
      case 'session':
        return this.#session(user, whose);
      case 'apiKey':
        return this.#apiKey(user, whose);
      case 'channel':
        return this.#channel(user, whose);
      case 'claim':
        return this.#claim(user, whose);
      case 'deletion':
        return this.#deletion(whose);
      case 'ownDeletion':
        return this.#ownDeletion(user, whose);
      case 'share':
        return this.#share(user, whose);
      case 'view':
        return this.#view(user, whose);
      case 'migration':
        return this.#migration(whose);
    }
  }

  #hides(user: string, whose: Whose): boolean {
    return user === 'admin' && whose === 'strangers';
  }

  #site(user: string, whose: Whose): string {
    return this.#sites.at(whose === 'own' ? 0 : (strangersPlant[user] ?? -1)) ?? '';
  }

  async #device(user: string, whose: Whose): Promise<{ id: string; sn: string }> {
    const inverters = this.#db.selectFrom('devices').select(['id', 'sn']).where('kind', '=', 'inverter').orderBy('key');
    if (user === 'integrator' && whose === 'own') {
      return inverters.where('sn', '=', integratorInverters[0] ?? '').executeTakeFirstOrThrow();
    }
    return inverters.where('site_id', '=', this.#site(user, whose)).executeTakeFirstOrThrow();
  }

  async #pile(user: string, whose: Whose): Promise<string> {
    const sn = `PILE-${randomUUID().slice(0, 8)}`;
    const { logger_id } = await this.#db
      .selectFrom('devices')
      .select('logger_id')
      .where('site_id', '=', this.#site(user, whose))
      .executeTakeFirstOrThrow();
    const { id } = await this.#db
      .insertInto('devices')
      .values({
        sn,
        logger_id,
        site_id: this.#site(user, whose),
        kind: 'pile',
        rated_power_w: 11_000,
        capacity_wh: null,
        last_seen_at: null,
        deleted_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await this.#db
      .insertInto('charge_points')
      .values({
        device_id: id,
        identity: sn,
        secret_hash: randomBytes(32),
        name: sn,
        phases: 'three',
        most_current_a: 16,
      })
      .execute();
    return id;
  }

  async #datalogger(user: string, whose: Whose): Promise<string> {
    const { sn } = await this.#db
      .selectFrom('loggers')
      .select('sn')
      .where('site_id', '=', this.#site(user, whose))
      .executeTakeFirstOrThrow();
    return sn;
  }

  async #accountId(user: string): Promise<string> {
    const account = await this.#db
      .selectFrom('accounts')
      .select('id')
      .where('username', '=', user)
      .executeTakeFirstOrThrow();
    return account.id;
  }

  async #someoneElse(user: string): Promise<string> {
    return this.#accountId(user === 'owner' ? 'installer' : 'owner');
  }

  async #organisation(user: string, whose: Whose): Promise<string> {
    const stranger = strangersOrganisation[user];
    if (whose === 'strangers' && stranger) return this.#below(demoOrganisationId(stranger), false);
    if (whose === 'strangers') return this.#below(this.#platform, true);
    const own = demoAccounts.find((account) => account.user === user)?.organisation ?? 'platform';
    return this.#below(own === 'platform' ? this.#platform : demoOrganisationId(own), false);
  }

  #installer(): Promise<string> {
    return this.#below(demoOrganisationId('agent'), false);
  }

  async #below(parentID: string, deleted: boolean): Promise<string> {
    const parent = await this.#db
      .selectFrom('organisations')
      .select(['path', 'kind'])
      .where('id', '=', parentID)
      .executeTakeFirstOrThrow();
    const kind = { platform: 'distributor', distributor: 'agent', agent: 'installer', installer: 'installer' } as const;
    const id = randomUUID();
    await this.#db
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

  async #account(organisationID: string, { level, deleted }: { level: Level; deleted: boolean }): Promise<string> {
    const name = `made-${randomBytes(5).toString('hex')}`;
    const { id } = await this.#db
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

  async #department(): Promise<string> {
    const { id } = await this.#db
      .insertInto('departments')
      .values({ organisation_id: await this.#installer(), parent_id: null, name: 'Made' })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async #permissionGroup(): Promise<string> {
    const { id } = await this.#db
      .insertInto('permission_groups')
      .values({ organisation_id: await this.#installer(), name: 'Made', type: 'role', department_id: null })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async #session(user: string, whose: Whose): Promise<string> {
    const { id } = await this.#db
      .insertInto('sessions')
      .values({
        token_hash: randomBytes(32),
        account_id: whose === 'own' ? await this.#accountId(user) : await this.#someoneElse(user),
        expires_at: new Date(Date.now() + day),
        ended_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async #apiKey(user: string, whose: Whose): Promise<string> {
    const { id } = await this.#db
      .insertInto('api_keys')
      .values({
        account_id: whose === 'own' ? await this.#accountId(user) : await this.#someoneElse(user),
        name: 'Made',
        prefix: 'made',
        key_hash: randomBytes(32),
        last_used_at: null,
        revoked_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async #channel(user: string, whose: Whose): Promise<string> {
    const { id } = await this.#db
      .insertInto('notification_channels')
      .values({
        account_id: whose === 'own' ? await this.#accountId(user) : await this.#someoneElse(user),
        kind: 'email',
        name: 'Made',
        target: JSON.stringify({ address: 'made@example.com' }),
        last_delivered_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  /** The platform sees every claim: beyond its sight is what does not exist. */
  async #claim(user: string, whose: Whose): Promise<string> {
    if (this.#hides(user, whose)) return randomUUID();
    const holder = await this.#device(user === 'integrator' ? 'owner' : user, whose);
    const { logger_id } = await this.#db
      .selectFrom('devices')
      .select('logger_id')
      .where('site_id', '=', this.#sites.at(-1) ?? '')
      .executeTakeFirstOrThrow();
    const sn = `made-${randomBytes(5).toString('hex')}`;
    const claimant = await this.#db
      .insertInto('devices')
      .values({ sn: `${sn}@claim`, told_sn: sn, logger_id, kind: 'inverter', deleted_at: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id } = await this.#db
      .insertInto('device_claims')
      .values({ sn, holder_id: holder.id, claimant_id: claimant.id })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async #deletion(whose: Whose): Promise<string> {
    const { id } = await this.#db
      .insertInto('deletions')
      .values({
        kind: 'account',
        record_id: randomUUID(),
        record_name: 'Made',
        deleted_by: await this.#accountId('admin'),
        undo_until: new Date(Date.now() + (whose === 'own' ? day : -day)),
        undone_at: null,
        purged_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async #ownDeletion(user: string, whose: Whose): Promise<string> {
    const own = demoAccounts.find((account) => account.user === user)?.organisation ?? 'platform';
    const { id } = await this.#db
      .insertInto('deletions')
      .values({
        kind: 'site',
        record_id: randomUUID(),
        record_name: 'Made',
        organisation_path: [own === 'platform' ? this.#platform : demoOrganisationId(own)],
        deleted_by: whose === 'own' ? await this.#accountId(user) : await this.#someoneElse(user),
        undo_until: new Date(Date.now() + day),
        undone_at: null,
        purged_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async #share(user: string, whose: Whose): Promise<string> {
    const { id } = await this.#db
      .insertInto('site_shares')
      .values({
        site_id: this.#site(user, whose),
        account_id: await this.#account(this.#platform, { level: 1, deleted: false }),
        named_as: 'made',
        given_by: null,
        ended_at: null,
        ended_by_change: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async #view(user: string, whose: Whose): Promise<string> {
    const { id } = await this.#db
      .insertInto('saved_views')
      .values({
        account_id: whose === 'own' ? await this.#accountId(user) : await this.#someoneElse(user),
        list: '/made',
        name: randomBytes(5).toString('hex'),
        query: '{}',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async #migration(whose: Whose): Promise<string> {
    if (whose === 'strangers') return randomUUID();
    const admin = await this.#accountId('admin');
    const { id } = await this.#db
      .insertInto('account_migrations')
      .values({
        source_account_id: await this.#accountId('owner'),
        target_account_id: await this.#accountId('installer'),
        source_account: 'owner',
        target_account: 'installer',
        sites: 0,
        transfer_count: 1,
        operated_by: admin,
        operated_by_name: 'admin',
        undo_until: new Date(Date.now() + day),
        undone_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }
}
