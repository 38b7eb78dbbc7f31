import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { level, line, passwordMd5, text } from '../fields.ts';
import { inFormat } from '../formats.ts';
import { levels } from '../levels.ts';
import { limits } from '../limits.ts';
import { askToConfirm, info, language, logout } from './own-account.ts';

export const password = text(limits.password.max, limits.password.min);
export const username = inFormat(
  'username',
  line(limits.username.max, limits.username.min).check(z.regex(/^[\p{L}\p{N}._-]+$/u)),
);
export const email = inFormat('email', line(254).check(z.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/)));

/** A user name (members have up to 128 characters) or an e-mail address, as typed at the sign-in. */
const loginName = line(254, 1);

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

export const accessLevel = endpoint({
  method: 'GET',
  path: '/c/v0/user/access',
  feature: 'accounts',
  summary: 'Access level of the signed-in account.',
  callers: levels,
  beforePasswordChange: true,
  input: z.object({}),
  result: z.object({ access: level }),
});

export const changePassword = endpoint({
  method: 'POST',
  path: '/c/v0/user/password',
  feature: 'accounts',
  summary:
    'Change the own password; all other sessions of the account end. The old one is needed unless it was temporary. `endPrograms` revokes all API keys and switches the MQTT access off as well.',
  callers: levels,
  beforePasswordChange: true,
  changes: ['accounts', 'user-center', 'api-keys'],
  input: z.object({
    oldPassword: z.optional(text(128, 1)),
    newPassword: password,
    endPrograms: z.optional(z.boolean()),
  }),
  result: z.object({}),
});

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/c/v0/user/password/forgot',
  feature: 'accounts',
  summary:
    'Ask for a link that sets a new password, by mail. The answer is the same whether there is such an account or not.',
  callers: 'public',
  changes: [],
  input: z.object({ user: loginName }),
  result: z.object({}),
});

/** Code of a one-time link. */
const linkCode = text(128, 1);

export const resetPassword = endpoint({
  method: 'POST',
  path: '/c/v0/user/password/reset',
  feature: 'accounts',
  summary:
    'Set a new password with the code of the mailed link, once; all sessions, API keys and the MQTT access of the account end.',
  callers: 'public',
  changes: [],
  input: z.object({ code: linkCode, newPassword: password }),
  result: z.object({ user: z.string() }),
});

export const confirmEmail = endpoint({
  method: 'POST',
  path: '/c/v0/user/email/confirm',
  feature: 'accounts',
  summary: 'Confirm the e-mail address of an account with the code of the mailed link.',
  callers: 'public',
  changes: ['accounts', 'notifications'],
  input: z.object({ code: linkCode }),
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

export const setUp = endpoint({
  method: 'POST',
  path: '/c/v0/setup/account',
  feature: 'accounts',
  summary: 'Set up the first account with the code of the one-time link.',
  callers: 'public',
  changes: ['accounts'],
  input: z.object({ code: linkCode, user: username, email, password }),
  result: z.object({}),
});

export const accountEndpoints = {
  login,
  logout,
  info,
  accessLevel,
  language,
  changePassword,
  forgotPassword,
  resetPassword,
  confirmEmail,
  askToConfirm,
  setUpState,
  setUp,
};
