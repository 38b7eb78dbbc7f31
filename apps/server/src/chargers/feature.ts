import { setTimeout as pause } from 'node:timers/promises';
import { chargerEndpoints } from '@sonnenwarte/contract/chargers/chargers';
import { Gauge } from 'prom-client';
import { featureOf } from '../feature.ts';
import { clientAddresses } from '../http/client-address.ts';
import type { Api } from '../http/serve.ts';
import type { Services } from '../services.ts';
import { admitted } from './charge-points.store.ts';
import { ChargePoints } from './charge-points.ts';
import {
  addPile,
  editPile,
  pileList,
  removePile,
  renewPilePassword,
  setPileMode,
  startPile,
  stopPile,
} from './chargers.service.ts';
import { sessionList } from './charging-sessions.service.ts';
import { OcppDoor } from './ocpp-door.ts';

/** Ends of connections are noted within this time, or not at all. */
const CLOSED_WITHIN_MS = 2_000;

/** Charging piles that speak OCPP: their door, their control, and what their owners do with them. */
export const feature = featureOf(
  chargerEndpoints,
  {
    list: pileList,
    add: addPile,
    edit: editPile,
    renewPassword: renewPilePassword,
    remove: removePile,
    setMode: setPileMode,
    start: startPile,
    stop: stopPile,
    sessions: sessionList,
    exportSessions: {
      find: sessionList,
      own: { cost: ({ cost, currency }) => (cost === null ? null : `${cost} ${currency}`) },
    },
  },
  start,
);

function start({ config, db, readings, bus, liveClock: clock, metrics, logger }: Services, { fastify }: Api) {
  const points = new ChargePoints({ db, readings, bus, clock, logger });
  const door = new OcppDoor({
    metrics,
    logger,
    nowMs: () => clock.nowMs(),
    addressOf: clientAddresses(config.trustedProxies),
    admitted: (identity, password) => admitted(db, identity, password),
    arrived: (connection) => points.arrived(connection),
  });
  door.attach(fastify.server);
  new Gauge({
    name: 'sonnenwarte_ocpp_connections',
    help: 'Connected charging piles',
    registers: [metrics],
    collect() {
      this.set(door.connections);
    },
  });
  fastify.addHook('preClose', async () => {
    // Connections end whatever a store does: what could not be noted is known by the next one of a pile.
    await Promise.race([points.close(), pause(CLOSED_WITHIN_MS, undefined, { ref: false })]);
    await door.close();
  });
  return { points };
}
