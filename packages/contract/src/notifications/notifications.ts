import * as z from 'zod/mini';
import { email } from '../accounts/own-account.ts';
import { endpoint } from '../endpoint.ts';
import { line, text } from '../fields.ts';
import { inFormat } from '../formats.ts';
import type { Level } from '../levels.ts';

const channelLevels = [1, 2, 3, 4, 255] as const satisfies readonly Level[];

/** Channels that an account may have. */
export const MAX_CHANNELS = 10;

export const channelKinds = ['email', 'push', 'webhook'] as const;
export type ChannelKind = (typeof channelKinds)[number];

/** Why the newest delivery failed. */
export const deliveryFailures = [
  'timeout',
  'unreachable',
  'addressRefused',
  'certificate',
  'redirect',
  'status',
  'gone',
  /** The address, which nobody has confirmed, has had enough mails. */
  'addressLimit',
  /** The key of a browser's subscription is none. */
  'browserKey',
  /** There is no such channel that is switched on. */
  'notSetUp',
] as const;
export type DeliveryFailure = (typeof deliveryFailures)[number];

export const deliveryFailure = z.object({
  reason: z.enum(deliveryFailures),
  /** HTTP status, where that was the reason. */
  status: z.nullable(z.int()),
});

export const channel = z.object({
  id: z.string(),
  kind: z.enum(channelKinds),
  name: z.string(),
  /** Address, URL without its query, or host of the push service. */
  target: z.string(),
  enabled: z.boolean(),
  createdAtMs: z.int(),
  lastDeliveredMs: z.nullable(z.int()),
  lastFailure: z.nullable(deliveryFailure),
  lastFailureMs: z.nullable(z.int()),
});
export type Channel = z.infer<typeof channel>;

const channelName = line(32);
const id = z.uuid();
const base64Url = (bytes: number) =>
  text(2 * bytes + 4).check(z.regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}={0,2}$`)));
const webAddress = inFormat('url', line(1_024, 1).check(z.regex(/^https?:\/\/[^\s/]+\S*$/i)));

export const list = endpoint({
  method: 'GET',
  path: '/c/v0/user/channel/list',
  feature: 'notifications',
  summary: 'Where notices of the signed-in account are sent.',
  callers: channelLevels,
  input: z.object({}),
  result: z.object({
    channels: z.array(channel),
    /** Where security notices always go once it is confirmed. */
    accountEmail: z.string(),
    accountEmailConfirmed: z.boolean(),
    /** Key of this server for subscriptions to web push (VAPID, base64url). */
    pushKey: z.string(),
  }),
});

export const addEmail = endpoint({
  method: 'POST',
  path: '/c/v0/user/channel/addEmail',
  feature: 'notifications',
  summary: 'Send notices to a further e-mail address.',
  callers: channelLevels,
  changes: ['notifications'],
  input: z.object({ name: channelName, address: email }),
  result: z.object({ id: z.string() }),
});

export const addWebhook = endpoint({
  method: 'POST',
  path: '/c/v0/user/channel/addWebhook',
  feature: 'notifications',
  summary: 'Post notices to a web address. The secret that signs them is shown this once.',
  callers: channelLevels,
  changes: ['notifications'],
  input: z.object({ name: channelName, url: webAddress }),
  result: z.object({ id: z.string(), secret: z.string() }),
});

export const addPush = endpoint({
  method: 'POST',
  path: '/c/v0/user/channel/addPush',
  feature: 'notifications',
  summary: 'Send notices to a browser by web push.',
  callers: channelLevels,
  changes: ['notifications'],
  input: z.object({
    name: channelName,
    endpoint: webAddress,
    keys: z.object({ p256dh: base64Url(65), auth: base64Url(16) }),
  }),
  result: z.object({ id: z.string() }),
});

export const enable = endpoint({
  method: 'POST',
  path: '/c/v0/user/channel/enable',
  feature: 'notifications',
  summary: 'Switch a channel on or off.',
  callers: channelLevels,
  changes: ['notifications'],
  input: z.object({ id, enabled: z.boolean() }),
  result: z.object({}),
  names: { id: 'channel' },
});

export const test = endpoint({
  method: 'POST',
  path: '/c/v0/user/channel/test',
  feature: 'notifications',
  summary: 'Send a test notice now and say whether it arrived.',
  callers: channelLevels,
  changes: ['notifications'],
  input: z.object({ id }),
  result: z.object({ delivered: z.boolean(), failure: z.nullable(deliveryFailure) }),
  names: { id: 'channel' },
});

export const remove = endpoint({
  method: 'POST',
  path: '/c/v0/user/channel/remove',
  feature: 'notifications',
  summary: 'Remove a channel.',
  callers: channelLevels,
  changes: ['notifications'],
  input: z.object({ id }),
  result: z.object({}),
  names: { id: 'channel' },
});

export const notificationEndpoints = { list, addEmail, addWebhook, addPush, enable, test, remove } as const;
