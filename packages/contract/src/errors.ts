/**
 * The one catalogue of error numbers. Texts in all languages are in the phrases package under `errors.<number>`.
 * Numbers follow those that clients of this API family know.
 */
export const errno = {
  ok: 0,
  maintenance: 30000,
  badSignature: 40256,
  refusedInput: 40257,
  tooManyRequests: 40400,
  tryLater: 40401,
  quotaUsedUp: 40402,
  wrongPassword: 41038,
  queryFailed: 41200,
  serverException: 41201,
  operationTimeout: 41203,
  badUserNameOrPassword: 41807,
  tokenExpired: 41808,
  tokenInvalid: 41809,
  sessionEnded: 41810,
  noPermission: 41811,
  setUpLinkInvalid: 41812,
  readOnlyView: 41813,
  passwordMustChange: 41814,
  deviceNotFound: 41930,
  siteNotFound: 41931,
  dataloggerNotFound: 41932,
  accountNotFound: 41940,
  organisationNotFound: 41941,
  departmentNotFound: 41942,
  permissionGroupNotFound: 41943,
  memberNotFound: 41944,
  sessionNotFound: 41945,
  apiKeyNotFound: 41946,
  channelNotFound: 41947,
  deletionNotFound: 41948,
  migrationNotFound: 41949,
  auditEntryNotFound: 41950,
  resetLinkInvalid: 42100,
  confirmLinkInvalid: 42101,
  tooManyApiKeys: 42120,
  tooManyChannels: 42121,
  cancelOrganisationsBelow: 42122,
  cancelMembersBelow: 42123,
  cancelLastAdministrator: 42124,
  changedSince: 42140,
  placeGone: 42141,
  nameTakenSince: 42142,
  organisationNotEmpty: 42143,
  wrongParent: 42144,
  consequencesChanged: 42145,
  notToThisAccount: 42146,
  permissionNotHeld: 42170,
  departmentWithinItself: 42171,
  departmentNotEmpty: 42172,
  notOneself: 42173,
  exportTooLarge: 42190,
  migrationCodeInvalid: 42191,
  migrationKindsDiffer: 42192,
  migrationNothingToMove: 42193,
  migrationSitesChanged: 42194,
  migrationUndoTooLate: 42195,
  migrationAlreadyUndone: 42196,
} as const;

export type ErrorName = keyof typeof errno;
export type ErrorNumber = (typeof errno)[ErrorName];

export const errorNumbers: readonly ErrorNumber[] = Object.values(errno);

/** Numbers that end the session: shown for two seconds, then /login (specification, section 8). */
export const sessionEndNumbers: readonly number[] = [errno.tokenExpired, errno.tokenInvalid, errno.sessionEnded];
