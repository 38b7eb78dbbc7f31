import { levelOfKind } from '@sonnenwarte/contract/members/member-levels';
import type { PermissionCode } from '@sonnenwarte/contract/permissions';
import type { Kysely } from 'kysely';
import type { Database } from '../stores/schema.ts';
import { type DemoOrganisation, demoOrganisationId, demoOrganisations } from './tenancy.ts';

type Db = Kysely<Database>;

interface DemoDepartment {
  readonly key: string;
  readonly organisation: DemoOrganisation;
  readonly parent?: string;
  readonly name: string;
  readonly description: string;
}

interface DemoGroup {
  readonly key: string;
  readonly organisation: DemoOrganisation;
  /** Holds for all members of this department; without one it is a role that members are given. */
  readonly department?: string;
  readonly name: string;
  readonly description: string;
  readonly codes: readonly PermissionCode[];
}

interface DemoMember {
  readonly user: string;
  readonly name: string;
  readonly phone: string;
  readonly organisation: DemoOrganisation;
  readonly department?: string;
  readonly groups: readonly string[];
}

const demoDepartments: readonly DemoDepartment[] = [
  { key: 'service', organisation: 'distributor', name: 'Service', description: 'Störungen, Garantie, Rückfragen' },
  {
    key: 'remote',
    organisation: 'distributor',
    parent: 'service',
    name: 'Fernwartung',
    description: 'Einstellungen und Firmware aus der Ferne',
  },
  { key: 'assembly', organisation: 'installer-2', name: 'Montage', description: '' },
];

const demoGroups: readonly DemoGroup[] = [
  {
    key: 'faults',
    organisation: 'distributor',
    department: 'service',
    name: 'Störungsdienst',
    description: 'Sieht Alarme und ihre Verläufe',
    codes: ['errorRecord:query', 'errorRecord:download'],
  },
  {
    key: 'firmware',
    organisation: 'distributor',
    name: 'Firmware',
    description: 'Updates ohne Freigabe',
    codes: ['firmware:view', 'inverterUpgrade:info', 'inverterUpgrade:single', 'batteryUpgrade:info'],
  },
  {
    key: 'reports',
    organisation: 'distributor',
    name: 'Berichte',
    description: '',
    codes: ['report:query', 'report:export'],
  },
  {
    key: 'fitters',
    organisation: 'installer-2',
    department: 'assembly',
    name: 'Monteure',
    description: 'Richten Anlagen ein',
    codes: ['site:edit', 'datalogger:import', 'errorRecord:query'],
  },
];

const demoMembers: readonly DemoMember[] = [
  {
    user: 's.keller',
    name: 'Sabine Keller',
    phone: '+49 30 5550111',
    organisation: 'distributor',
    department: 'service',
    groups: ['reports'],
  },
  {
    user: 'j.brandt',
    name: 'Jonas Brandt',
    phone: '+49 30 5550112',
    organisation: 'distributor',
    department: 'remote',
    groups: ['firmware'],
  },
  {
    user: 'm.vogel',
    name: 'Mira Vogel',
    phone: '+49 89 5550121',
    organisation: 'installer-2',
    department: 'assembly',
    groups: [],
  },
];

/** Departments, permission groups and members of some organisations of the demonstration. */
export async function seedMembers(db: Db, passwordHash: string): Promise<void> {
  const departmentIds = new Map<string, string>();
  for (const { key, organisation, parent, name, description } of demoDepartments) {
    const { id } = await db
      .insertInto('departments')
      .values({
        organisation_id: demoOrganisationId(organisation),
        parent_id: parent === undefined ? null : idOf(departmentIds, parent),
        name,
        description,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    departmentIds.set(key, id);
  }
  const groupIds = new Map<string, string>();
  for (const { key, organisation, department, name, description, codes } of demoGroups) {
    const { id } = await db
      .insertInto('permission_groups')
      .values({
        organisation_id: demoOrganisationId(organisation),
        type: department === undefined ? 'role' : 'department',
        department_id: department === undefined ? null : idOf(departmentIds, department),
        name,
        description,
        codes: [...codes],
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    groupIds.set(key, id);
  }
  for (const { user, name, phone, organisation, department, groups } of demoMembers) {
    const { id } = await db
      .insertInto('accounts')
      .values({
        organisation_id: demoOrganisationId(organisation),
        username: user,
        email: `${user}@demo.sonnenwarte.example`,
        name,
        phone,
        country: 'DE',
        password_hash: passwordHash,
        level: levelOfKind(kindOf(organisation)),
        department_id: department === undefined ? null : idOf(departmentIds, department),
        language: null,
        demo: true,
        leads: false,
        keys_guarded: true,
        disabled_at: null,
        deleted_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (groups.length > 0) {
      await db
        .insertInto('account_groups')
        .values(groups.map((group) => ({ account_id: id, group_id: idOf(groupIds, group) })))
        .execute();
    }
  }
}

const kindOf = (key: DemoOrganisation) =>
  demoOrganisations.find((organisation) => organisation.key === key)?.kind ?? 'installer';

function idOf(ids: ReadonlyMap<string, string>, key: string): string {
  const id = ids.get(key);
  if (id === undefined) throw new Error(`the demonstration has no ${key}`);
  return id;
}
