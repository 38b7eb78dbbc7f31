import type { Level } from '@sonnenwarte/contract/levels';

/** Password of every demo account; documented, and refused by a production start. */
export const DEMO_PASSWORD = 'sonnenwarte';

/** Organisations of the demonstration under the platform, from the top down. Their ids are fixed so that they can be removed. */
export const demoOrganisations = [
  { key: 'distributor', parent: undefined, kind: 'distributor', name: 'Sonnenwarte Demo Distribution' },
  { key: 'agent', parent: 'distributor', kind: 'agent', name: 'Sonnenwarte Demo Agentur' },
  { key: 'installer', parent: 'agent', kind: 'installer', name: 'Sonnenwarte Demo Solartechnik' },
  { key: 'installer-2', parent: 'agent', kind: 'installer', name: 'Sonnenwarte Demo Elektro' },
  { key: 'agent-2', parent: 'distributor', kind: 'agent', name: 'Sonnenwarte Demo Agency East' },
  { key: 'installer-3', parent: 'agent-2', kind: 'installer', name: 'Sonnenwarte Demo Solar East' },
  { key: 'distributor-2', parent: undefined, kind: 'distributor', name: 'Sonnenwarte Demo South' },
] as const satisfies readonly {
  key: string;
  parent: string | undefined;
  kind: 'distributor' | 'agent' | 'installer';
  name: string;
}[];

export type DemoOrganisation = (typeof demoOrganisations)[number]['key'];

export const demoOrganisationId = (key: DemoOrganisation): string => {
  const index = demoOrganisations.findIndex((organisation) => organisation.key === key);
  return `d3300000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`;
};

export const demoAccounts: readonly { user: string; level: Level; organisation: DemoOrganisation | 'platform' }[] = [
  { user: 'owner', level: 1, organisation: 'installer' },
  { user: 'installer', level: 2, organisation: 'installer' },
  { user: 'agent', level: 3, organisation: 'agent' },
  { user: 'distributor', level: 4, organisation: 'distributor' },
  { user: 'integrator', level: 10, organisation: 'platform' },
  { user: 'admin', level: 255, organisation: 'platform' },
];

/** Organisation of each plant by its place in the fleet: 5 of the installer, 8 of the agent, 10 of the distributor, 12 in all. */
export const organisationOfPlant = (index: number): DemoOrganisation =>
  index < 5 ? 'installer' : index < 8 ? 'installer-2' : index < 10 ? 'installer-3' : 'distributor-2';

/** The first two plants are the owner's. */
export const isOwnersPlant = (index: number): boolean => index < 2;

/** The four inverters entrusted to the integrator. */
export const integratorInverters: readonly string[] = [
  'H8T2311A00117',
  'H6S2206A00223',
  'S20T2212B1061',
  'S20T2212B1062',
];
