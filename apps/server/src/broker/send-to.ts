import type { Client, PublishPacket } from 'aedes';
import type { AccountLine } from './account-told.ts';
import { type Breakable, within } from './connection-scope.ts';

type Deliver = (packet: Omit<PublishPacket, 'dup'> & { brokerId: null }, done: () => void) => void;

/**
 * To one client alone, without a number of the broker's: by those it tells what it has delivered already, and would take older
 * messages that are still under way for repeated ones.
 */
export const sendTo =
  (client: Client, connection: Breakable): AccountLine['send'] =>
  (topic, payload, retain) =>
    new Promise((done) => {
      const { deliver0 } = client as unknown as { deliver0: Deliver };
      const message = { cmd: 'publish', topic, payload: Buffer.from(payload), qos: 0, retain, brokerId: null } as const;
      within(connection, () => deliver0(message, done));
    });
