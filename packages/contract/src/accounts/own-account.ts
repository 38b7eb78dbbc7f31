import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { level, line, passwordMd5, text } from '../fields.ts';
import { inFormat } from '../formats.ts';
import { languages } from '../languages.ts';
import { levels } from '../levels.ts';
import { limits } from '../limits.ts';

export const password = text(limits.password.max, limits.password.min);
export const username = inFormat(
  'username',
  line(limits.username.max, limits.username.min).check(z.regex(/^[\p{L}\p{N}._-]+$/u)),
);
export const email = inFormat('email', line(254).check(z.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/)));

/** A user name (members have up to 128 characters) or an e-mail address, as typed at the sign-in. */
export const loginName = line(254, 1);

/** Stored user info, specification section 3. */
export const userInfo = z.object({
  user: z.string(),
  name: z.string(),
  phone: z.string(),
  email: z.string(),
  /** Its owner has opened the link that was mailed to it; only then it is good for signing in. */
  emailConfirmed: z.boolean(),
  country: z.string(),
  countryName: z.string(),
  city: z.string(),
  address: z.string(),
  postcode: z.string(),
  introduction: z.string(),
  note: z.string(),
  clientID: z.string(),
  apiMqttEnable: z.boolean(),
  access: level,
  organisation: z.string(),
  language: z.nullable(z.enum(languages)),
  theme: z.enum(['auto', 'light', 'dark']),
  timeZone: z.nullable(z.string()),
  units: z.enum(['metric', 'imperial']),
  /** Function keys and context menu are disabled in the workspace; null until the choice was made, which counts as yes. */
  keysGuarded: z.nullable(z.boolean()),
  passwordTemporary: z.boolean(),
  demo: z.boolean(),
});
export type UserInfo = z.infer<typeof userInfo>;

export const login = endpoint({
  method: 'POST',
  path: '/c/v0/user/login',
  feature: 'accounts',
  summary: 'Sign in with user name or e-mail and the MD5 of the password.',
  callers: 'public',
  changes: [],
  input: z.object({
    user: loginName,
    password: passwordMd5,
  }),
  result: z.object({
    token: z.string(),
    access: level,
    user: z.string(),
    expiresAtMs: z.int(),
    /** The password was good for this one sign-in: until it is changed, other calls are answered with 41814. */
    passwordTemporary: z.boolean(),
  }),
});

export const logout = endpoint({
  method: 'POST',
  path: '/c/v0/user/logout',
  feature: 'accounts',
  summary: 'End the session of the token.',
  callers: levels,
  reads: true,
  beforePasswordChange: true,
  input: z.object({}),
  result: z.object({}),
});

export const info = endpoint({
  method: 'GET',
  path: '/c/v0/user/info',
  feature: 'accounts',
  summary: 'The signed-in account.',
  callers: levels,
  beforePasswordChange: true,
  input: z.object({}),
  result: userInfo,
});

export const language = endpoint({
  method: 'POST',
  path: '/c/v0/user/language',
  feature: 'accounts',
  summary: 'Remember the language of the signed-in account.',
  callers: levels,
  beforePasswordChange: true,
  changes: ['accounts'],
  input: z.object({ language: z.enum(languages) }),
  result: z.object({}),
});

export const askToConfirm = endpoint({
  method: 'POST',
  path: '/c/v0/user/email/askToConfirm',
  feature: 'accounts',
  summary: 'Mail the link anew that confirms the e-mail address of the signed-in account.',
  callers: levels,
  changes: ['accounts'],
  input: z.object({}),
  result: z.object({}),
});

export const setUpState = endpoint({
  method: 'GET',
  path: '/c/v0/setup/state',
  feature: 'accounts',
  summary: 'Whether the first account is still to be set up, and whether this is a demonstration.',
  callers: 'public',
  input: z.object({}),
  result: z.object({ needed: z.boolean(), demo: z.boolean() }),
});
