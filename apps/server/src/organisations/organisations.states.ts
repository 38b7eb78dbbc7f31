import { type OrganisationKind, parentKinds } from '@sonnenwarte/contract/organisations/organisations';

/** Whether an organisation of a kind can hang under one of another. */
export const fitsUnder = (kind: OrganisationKind, parent: OrganisationKind): boolean =>
  kind !== 'platform' && parentKinds[kind].some((allowed) => allowed === parent);
