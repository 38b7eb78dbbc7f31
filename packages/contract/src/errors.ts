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
  deviceNotFound: 41930,
  siteNotFound: 41931,
  dataloggerNotFound: 41932,
} as const;

export type ErrorName = keyof typeof errno;
export type ErrorNumber = (typeof errno)[ErrorName];

export const errorNumbers: readonly ErrorNumber[] = Object.values(errno);

/** Numbers that end the session: shown for two seconds, then /login (specification, section 8). */
export const sessionEndNumbers: readonly number[] = [errno.tokenExpired, errno.tokenInvalid, errno.sessionEnded];
