import type { Level } from '@sonnenwarte/contract/levels';
import type { PermissionCode } from '@sonnenwarte/contract/permissions';

/** Who calls: the account of a living session or of an API key. */
export interface Actor {
  readonly accountId: string;
  readonly username: string;
  readonly level: Level;
  readonly organisationID: string;
  /** Organisations from the root down to the actor's own. */
  readonly organisationPath: readonly string[];
  readonly codes: ReadonlySet<PermissionCode>;
  /** Empty for an API key. */
  readonly sessionId: string;
  /** A temporary password is still to be changed. */
  readonly mustChangePassword: boolean;
  /** An administrator who sees the portal as somebody else would; level, organisation and codes are then those seen. Nothing can be written. */
  readonly viewAs: ViewAs | null;
}

export interface ViewAs {
  /** Who is really there. */
  readonly byAccountId: string;
  readonly byUsername: string;
  /** What the administrator may do itself. */
  readonly ownCodes: ReadonlySet<PermissionCode>;
  readonly organisationName: string;
  /** The account that is seen, or null where a level or group as such is. */
  readonly accountName: string | null;
  readonly groupId: string | null;
  readonly groupName: string | null;
}
