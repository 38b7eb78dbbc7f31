import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { level, text } from '../fields.ts';
import { levels } from '../levels.ts';
import {
  askToConfirm,
  email,
  info,
  language,
  login,
  loginName,
  logout,
  password,
  setUpState,
  username,
} from './own-account.ts';

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
