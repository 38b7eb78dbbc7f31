import * as z from 'zod/mini';
import { email } from '../accounts/own-account.ts';
import { endpoint } from '../endpoint.ts';
import { line, optionalCountry, paragraph, passwordMd5, phone, text } from '../fields.ts';
import { languages } from '../languages.ts';
import type { Level } from '../levels.ts';
import { levels } from '../levels.ts';
import { mqttAccessEndpoints } from './mqtt-access.ts';

const centreLevels = [1, 2, 3, 4, 255] as const satisfies readonly Level[];
const codeLevels = [2, 3] as const satisfies readonly Level[];
const owners = [1] as const satisfies readonly Level[];

/** What a user says of itself: the stored user info of the specification, section 3, that it may change. */
export const profile = z.object({
  name: line(32),
  email,
  phone,
  country: optionalCountry,
  city: line(64),
  address: line(128),
  postcode: line(16),
  introduction: paragraph(500),
  note: paragraph(500),
});
export type Profile = z.infer<typeof profile>;

export const editInfo = endpoint({
  method: 'POST',
  path: '/c/v0/user/info/edit',
  feature: 'accounts',
  summary: 'Change the profile of the signed-in account. The user name stays; a new e-mail address needs the password.',
  callers: centreLevels,
  changes: ['accounts', 'notifications'],
  input: z.extend(profile, {
    /** MD5 as at sign-in. */
    password: z.optional(passwordMd5),
  }),
  result: z.object({}),
});

/** How the account wants the portal to be; what is left out stays as it is. */
export const preferences = endpoint({
  method: 'POST',
  path: '/c/v0/user/preferences',
  feature: 'accounts',
  summary: 'Change how the portal looks and behaves for the signed-in account.',
  callers: levels,
  beforePasswordChange: true,
  changes: ['accounts'],
  input: z.object({
    language: z.optional(z.enum(languages)),
    theme: z.optional(z.enum(['auto', 'light', 'dark'])),
    /** IANA name; `null` takes that of the browser. */
    timeZone: z.optional(z.nullable(text(64))),
    units: z.optional(z.enum(['metric', 'imperial'])),
    keysGuarded: z.optional(z.boolean()),
  }),
  result: z.object({}),
});

export const session = z.object({
  id: z.string(),
  /** Names as their makers write them; empty where the browser does not say. */
  browser: z.string(),
  system: z.string(),
  address: z.string(),
  signedInMs: z.int(),
  lastSeenMs: z.int(),
  current: z.boolean(),
});
export type SessionInfo = z.infer<typeof session>;

export const sessions = endpoint({
  method: 'GET',
  path: '/c/v0/user/session/list',
  feature: 'user-center',
  summary: 'Living sessions of the signed-in account.',
  callers: levels,
  input: z.object({}),
  result: z.object({ sessions: z.array(session) }),
});

export const endSession = endpoint({
  method: 'POST',
  path: '/c/v0/user/session/end',
  feature: 'user-center',
  summary: 'End a session of the signed-in account; its next call is answered with 41810.',
  callers: levels,
  changes: ['user-center'],
  input: z.object({ id: z.uuid() }),
  result: z.object({}),
  names: { id: 'session' },
});

export const endOtherSessions = endpoint({
  method: 'POST',
  path: '/c/v0/user/session/endOthers',
  feature: 'user-center',
  summary: 'End all sessions of the signed-in account but this one.',
  callers: levels,
  changes: ['user-center'],
  input: z.object({}),
  result: z.object({ ended: z.int() }),
});

const signUpCodeResult = z.object({
  code: z.string(),
  /** Only who leads the organisation makes a new one. */
  canRenew: z.boolean(),
});

export const signUpCode = endpoint({
  method: 'GET',
  path: '/c/v0/user/signUpCode',
  feature: 'user-center',
  summary: 'Code by which those who sign up are bound to the own organisation.',
  callers: codeLevels,
  input: z.object({}),
  result: signUpCodeResult,
});

export const renewSignUpCode = endpoint({
  method: 'POST',
  path: '/c/v0/user/signUpCode/renew',
  feature: 'user-center',
  summary: 'Replace the sign-up code of the own organisation; the old one stops working.',
  callers: codeLevels,
  changes: ['user-center'],
  input: z.object({}),
  result: signUpCodeResult,
});

/** An installer's sign-up code, as it is typed. */
const installerCode = line(16, 1);

export const installer = endpoint({
  method: 'GET',
  path: '/c/v0/user/installer',
  feature: 'user-center',
  summary: 'Who looks after the signed-in end user.',
  callers: owners,
  input: z.object({}),
  result: z.object({
    /** `null`: it belongs to nobody but the platform, and can join an installer by its code. */
    installer: z.nullable(z.string()),
    /** Whom to ask: the installer, else the platform; empty as far as it is not known. */
    contact: z.object({ name: z.string(), phone: z.string(), email: z.string() }),
  }),
});

const joining = z.object({
  installer: z.string(),
  /** Plants that go along: those that nobody but the platform looks after. */
  sites: z.int(),
});

export const checkInstaller = endpoint({
  method: 'POST',
  path: '/c/v0/user/installer/check',
  feature: 'user-center',
  summary: 'Whose sign-up code this is, and how many plants of the signed-in end user would go along.',
  callers: owners,
  reads: true,
  input: z.object({ code: installerCode }),
  result: joining,
});

export const joinInstaller = endpoint({
  method: 'POST',
  path: '/c/v0/user/installer/join',
  feature: 'user-center',
  summary: "Bind the signed-in end user, who has no installer yet, to one by that installer's sign-up code.",
  callers: owners,
  changes: ['user-center', 'accounts', 'sites', 'fleet'],
  input: z.object({ code: installerCode }),
  result: joining,
});

export const cancellationHindrances = ['organisationsBelow', 'membersBelow', 'lastAdministrator'] as const;

export const cancellation = endpoint({
  method: 'GET',
  path: '/c/v0/user/cancellation',
  feature: 'user-center',
  summary: 'What cancelling the signed-in account would mean, and what stands against it.',
  callers: centreLevels,
  input: z.object({}),
  result: z.object({
    hindrance: z.nullable(z.enum(cancellationHindrances)),
    /** How many organisations or members stand against it. */
    hindering: z.int(),
    sites: z.int(),
    /** End users of an installer that is cancelled. */
    endUsers: z.int(),
    /** Organisation that takes over what is left; `null` where nothing moves. */
    goesTo: z.nullable(z.string()),
    sharedSites: z.int(),
    apiKeys: z.int(),
    undoDays: z.int(),
  }),
});

export const cancelAccount = endpoint({
  method: 'POST',
  path: '/c/v0/user/cancel',
  feature: 'user-center',
  summary: 'Cancel the signed-in account: its plants go to the agent above, its sessions end.',
  callers: centreLevels,
  changes: ['user-center'],
  input: z.object({
    /** Typed by the user, so that it is meant. */
    user: text(254),
    /** MD5 as at sign-in. */
    password: passwordMd5,
  }),
  result: z.object({}),
});

export const userCenterEndpoints = {
  editInfo,
  preferences,
  sessions,
  endSession,
  endOtherSessions,
  signUpCode,
  renewSignUpCode,
  installer,
  checkInstaller,
  joinInstaller,
  cancellation,
  cancelAccount,
  mqttState: mqttAccessEndpoints.state,
  setMqttEnabled: mqttAccessEndpoints.setEnabled,
  renewMqtt: mqttAccessEndpoints.renew,
} as const;
