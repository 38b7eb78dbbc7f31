import type { Level } from '@sonnenwarte/contract/levels';
import type { PermissionCode } from '@sonnenwarte/contract/permissions';

/** Who calls: the account of a living session. */
export interface Actor {
  readonly accountId: string;
  readonly username: string;
  readonly level: Level;
  readonly organisationId: string;
  readonly codes: ReadonlySet<PermissionCode>;
}
