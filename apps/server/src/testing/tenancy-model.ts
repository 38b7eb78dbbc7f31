/** What tenancy is meant to do, in memory and without SQL: the property test compares the portal with it. */
export type Kind = 'platform' | 'distributor' | 'agent' | 'installer';

export interface ModelOrganisation {
  kind: Kind;
  parent: string | null;
  deleted: boolean;
  /** Number of the disabling, so that one disabled twice differs from one disabled once. */
  disabled: number;
}

export interface ModelAccount {
  organisation: string;
  level: number;
  leads: boolean;
  deleted: boolean;
  disabled: number;
}

export interface ModelSite {
  organisation: string;
  owner: string | null;
  deleted: boolean;
}

interface World {
  organisations: Record<string, ModelOrganisation>;
  accounts: Record<string, ModelAccount>;
  sites: Record<string, ModelSite>;
}

interface Deletion {
  before: World;
  after: World;
  undone: boolean;
}

const fits = {
  platform: [],
  distributor: ['platform'],
  agent: ['distributor', 'platform'],
  installer: ['agent', 'distributor', 'platform'],
} as const satisfies Record<Kind, readonly Kind[]>;

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export class TenancyModel {
  #world: World;
  readonly deletions: Deletion[] = [];
  #disablings = 0;

  constructor(world: World) {
    this.#world = structuredClone(world);
  }

  get world(): Readonly<World> {
    return this.#world;
  }

  organisation(id: string): ModelOrganisation {
    return need(this.#world.organisations[id]);
  }

  account(id: string): ModelAccount {
    return need(this.#world.accounts[id]);
  }

  /** From the organisation itself up to the platform. */
  pathUp(id: string): string[] {
    const { parent } = this.organisation(id);
    return parent === null ? [id] : [id, ...this.pathUp(parent)];
  }

  visibleTo(accountId: string): string[] {
    const { level, organisation } = this.account(accountId);
    return Object.entries(this.#world.sites)
      .filter(([, site]) => !site.deleted)
      .filter(([, site]) =>
        level === 255
          ? true
          : level === 1
            ? site.owner === accountId
            : this.pathUp(site.organisation).includes(organisation),
      )
      .map(([id]) => id)
      .sort();
  }

  maySignIn(accountId: string): boolean {
    const account = this.account(accountId);
    const organisation = this.organisation(account.organisation);
    return !account.deleted && account.disabled === 0 && (account.level === 1 || organisation.disabled === 0);
  }

  move(id: string, parentID: string): boolean {
    const [own, parent] = [this.organisation(id), this.organisation(parentID)];
    const allowed: readonly Kind[] = fits[own.kind];
    if (own.deleted || parent.deleted || !allowed.includes(parent.kind)) return false;
    own.parent = parentID;
    return true;
  }

  setOrganisationEnabled(id: string, enabled: boolean): boolean {
    const own = this.organisation(id);
    if (own.deleted) return false;
    this.#setDisabled(own, enabled);
    return true;
  }

  setAccountEnabled(id: string, enabled: boolean): boolean {
    const own = this.account(id);
    if (own.deleted) return false;
    this.#setDisabled(own, enabled);
    return true;
  }

  #setDisabled(own: { disabled: number }, enabled: boolean): void {
    if (enabled) own.disabled = 0;
    else if (own.disabled === 0) own.disabled = ++this.#disablings;
  }

  deleteOrganisation(id: string): boolean {
    const own = this.organisation(id);
    const { sites, accounts, below } = this.#holdings(id);
    const endUsers = accounts.filter(({ level }) => level === 1);
    if (own.deleted || below > 0 || own.parent === null) return false;
    if (own.kind !== 'installer' && (sites.length > 0 || endUsers.length > 0)) return false;
    const before = structuredClone(this.#world);
    for (const site of sites) site.deleted = true;
    for (const account of accounts) {
      if (account.level === 1) account.organisation = own.parent;
      else account.deleted = true;
    }
    own.deleted = true;
    this.#note(before);
    return true;
  }

  deleteAccount(id: string): boolean {
    const own = this.account(id);
    if (own.deleted) return false;
    const organisation = this.organisation(own.organisation);
    const { sites, accounts, below } = this.#holdings(own.organisation);
    if (own.leads && (below > 0 || accounts.some((other) => other !== own && other.level !== 1))) return false;
    const before = structuredClone(this.#world);
    if (own.leads) {
      const above = this.#nearestAbove(own.organisation);
      for (const site of sites) site.organisation = above;
      for (const account of accounts) if (account.level === 1) account.organisation = above;
      organisation.deleted = true;
    } else {
      for (const site of Object.values(this.#world.sites)) {
        if (site.deleted || site.owner !== id) continue;
        const isInstallers = this.organisation(site.organisation).kind === 'installer';
        if (isInstallers) site.organisation = this.#nearestAbove(site.organisation);
        site.owner = null;
      }
    }
    own.deleted = true;
    this.#note(before);
    return true;
  }

  moveEndUser(id: string, target: string): boolean {
    const own = this.account(id);
    const organisation = this.organisation(target);
    if (own.deleted || own.level !== 1 || organisation.deleted || organisation.disabled > 0) return false;
    for (const site of Object.values(this.#world.sites)) {
      if (!site.deleted && site.owner === id && site.organisation === own.organisation) site.organisation = target;
    }
    own.organisation = target;
    return true;
  }

  /** Sites of a source that move to a target; undefined where they cannot. */
  migrate(source: string, target: string): string[] | undefined {
    if (source === target || this.account(source).deleted || this.account(target).deleted) return undefined;
    const moved = Object.entries(this.#world.sites).filter(([, site]) => !site.deleted && site.owner === source);
    for (const [, site] of moved) {
      site.organisation = this.account(target).organisation;
      site.owner = target;
    }
    return moved.map(([id]) => id);
  }

  undo(index: number): boolean {
    const deletion = need(this.deletions[index]);
    if (deletion.undone) return false;
    const next = structuredClone(this.#world);
    for (const table of ['organisations', 'accounts', 'sites'] as const) {
      for (const [id, after] of Object.entries(deletion.after[table])) {
        const before = need(deletion.before[table][id]);
        if (same(imageOf(before), imageOf(after))) continue;
        if (!same(imageOf(need(this.#world[table][id])), imageOf(after))) return false;
        Object.assign(need(next[table][id]), imageOf(before));
      }
    }
    for (const table of ['organisations', 'accounts', 'sites'] as const) {
      for (const id of Object.keys(deletion.after[table])) {
        const changed = !same(imageOf(need(deletion.before[table][id])), imageOf(need(deletion.after[table][id])));
        if (changed && !hasPlace(next, table, id)) return false;
      }
    }
    this.#world = next;
    deletion.undone = true;
    return true;
  }

  #holdings(organisationID: string) {
    const { sites, accounts, organisations } = this.#world;
    return {
      sites: Object.values(sites).filter((site) => !site.deleted && site.organisation === organisationID),
      accounts: Object.values(accounts).filter((one) => !one.deleted && one.organisation === organisationID),
      below: Object.values(organisations).filter((one) => !one.deleted && one.parent === organisationID).length,
    };
  }

  #nearestAbove(id: string): string {
    const above = this.pathUp(id).slice(1);
    for (const kind of ['agent', 'distributor', 'platform'] as const) {
      const match = above.find((each) => this.organisation(each).kind === kind && !this.organisation(each).deleted);
      if (match !== undefined) return match;
    }
    throw new Error('there is no platform');
  }

  #note(before: World): void {
    this.deletions.push({ before, after: structuredClone(this.#world), undone: false });
  }
}

/** The parent of an organisation is no part of a deletion: it may have moved with those above it. */
function imageOf(row: ModelOrganisation | ModelAccount | ModelSite): object {
  if (!('parent' in row)) return row;
  const { parent: _, ...image } = row;
  return image;
}

function hasPlace(world: World, table: keyof World, id: string): boolean {
  if (table === 'organisations') {
    const own = need(world.organisations[id]);
    return own.deleted || own.parent === null || !need(world.organisations[own.parent]).deleted;
  }
  const own = need(table === 'accounts' ? world.accounts[id] : world.sites[id]);
  if (own.deleted) return true;
  if (need(world.organisations[own.organisation]).deleted) return false;
  return !('owner' in own) || own.owner === null || !need(world.accounts[own.owner]).deleted;
}

function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the model has no such record');
  return value;
}
