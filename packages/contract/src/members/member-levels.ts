import type { Level } from '../levels.ts';
import type { OrganisationKind } from '../organisations/organisations.ts';

export type { OrganisationKind } from '../organisations/organisations.ts';

/** Levels that members of an organisation can have; the first is the organisation's own, the others are set lower. */
export const memberLevels = {
  platform: [255, 4, 3, 2],
  distributor: [4, 3, 2],
  agent: [3, 2],
  installer: [2],
} as const satisfies Record<OrganisationKind, readonly [Level, ...Level[]]>;

/** Level of an organisation of the kind: the most that its members and groups can hold. */
export const levelOfKind = (kind: OrganisationKind): Level => memberLevels[kind][0];
