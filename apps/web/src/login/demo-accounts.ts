import type { Level } from '@sonnenwarte/contract/levels';

/** Password of every account of the demonstration. */
export const DEMO_PASSWORD = 'sonnenwarte';

/** Accounts of the demonstration, one per access level. */
export const demoAccounts = [
  { user: 'owner', level: 1 },
  { user: 'installer', level: 2 },
  { user: 'agent', level: 3 },
  { user: 'distributor', level: 4 },
  { user: 'integrator', level: 10 },
  { user: 'admin', level: 255 },
] as const satisfies readonly { user: string; level: Level }[];
