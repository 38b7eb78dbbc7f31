import type { Kysely } from 'kysely';
import type { Api } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import type { BrokerPorts } from './mqtt-access.service.ts';
import { bindUserCenter } from './user-center.routes.ts';

/** What an account decides for itself: profile, preferences, sessions, sign-up code, MQTT access, and its end. */
export const userCenterFeature = (api: Api, parts: { db: Kysely<Database>; broker: BrokerPorts }): void =>
  bindUserCenter(api, parts);
