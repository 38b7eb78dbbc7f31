import { errno } from '@sonnenwarte/contract/errors';
import {
  type Command,
  parseCommand,
  ResultCode,
  type ResultCodeNumber,
  resultMetrics,
} from '@sonnenwarte/device-protocol/sparkplug/commands';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import type { Actor } from '../access/actor.ts';
import { systemScope } from '../access/scope.ts';
import type { CallContext } from '../http/serve.ts';
import { TestEdge, until } from '../testing/edge.ts';
import { makePlant, TEST_PASSWORD } from '../testing/ingestion.ts';
import { ownIngestion } from '../testing/own-ingestion.ts';
import { restartDatalogger, rotatePassword } from './orders.service.ts';

const TIMES = { dataloggerMs: 400, deviceMs: 400, echoMs: 400, tries: 3 };
const DAY_MS = 86_400_000;

const own = ownIngestion({
  config: { mqttTls: { port: 0, isAsked: true } },
  timing: { commands: TIMES },
});
const edges: TestEdge[] = [];
afterEach(async () => {
  for (const edge of edges.splice(0)) await edge.end();
});

const context = {
  actor: {
    username: 'm.vogel',
    level: 255,
    accountId: null,
    codes: new Set(),
    organisationID: '',
    organisationPath: [],
  },
  scope: systemScope,
} as unknown as CallContext & { actor: Actor };
const stores = () => ({
  db: own.stores.db,
  commands: own.ingestion.commands,
  nowMs: () => Date.now(),
  broker: { port: own.ingestion.port, isSecure: false },
});

interface Link {
  readonly password?: string;
  readonly isPlain?: boolean;
}

/** A datalogger that has connected and told what it is. */
async function connect(sn: string, { password = TEST_PASSWORD, isPlain = false }: Link = {}): Promise<TestEdge> {
  const port = isPlain ? own.ingestion.port : (own.ingestion.tls?.port ?? 0);
  const edge = await TestEdge.connect(port, sn, {
    password,
    ...(!isPlain && { protocol: 'mqtts' as const, rejectUnauthorized: false }),
  });
  edges.push(edge);
  await edge.birth([{ name: 'Properties/Profile', datatype: DataType.String, value: 'PV-1' }]);
  await until(async () => (await row(sn)).online, 'the datalogger online');
  return edge;
}

const row = (sn: string) =>
  own.stores.db
    .selectFrom('loggers')
    .select(['id', 'online', 'uplink', 'token_hash', 'former_token_until', 'next_token_until'])
    .where('sn', '=', sn)
    .executeTakeFirstOrThrow();

/** The next command to the datalogger itself that it is to do. */
async function told(edge: TestEdge): Promise<Command & { id: string }> {
  for (;;) {
    const command = parseCommand(await edge.nextCommand());
    const { id, newCredential, actions } = command;
    if (id !== undefined && (newCredential !== undefined || actions.length > 0)) return { ...command, id };
  }
}

const answer = (edge: TestEdge, id: string, code: ResultCodeNumber = ResultCode.ok) =>
  edge.send('NDATA', undefined, resultMetrics(id, code));

const stateOf = async (id: string) =>
  own.stores.db
    .selectFrom('commands')
    .select(['state', 'code', 'message', 'tries', 'content'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const inState = (id: string, state: string) =>
  until(async () => {
    const command = await stateOf(id);
    return command.state === state ? command : undefined;
  }, `the command ${state}`);

const mayConnect = (sn: string, password: string): Promise<boolean> =>
  connect(sn, { password }).then(
    () => true,
    () => false,
  );

async function datalogger(link: Link = {}): Promise<{ sn: string; id: string; edge: TestEdge }> {
  const { sn } = await makePlant(own.stores.db);
  const edge = await connect(sn, link);
  await until(async () => (await row(sn)).uplink !== '', 'how it is connected');
  return { sn, id: (await row(sn)).id, edge };
}

const recordedOf = async (commandID: string): Promise<string[]> => {
  const rows = await own.stores.db
    .selectFrom('audit_log')
    .select('action')
    .where(sql<boolean>`after ->> 'commandID' = ${commandID}`)
    .orderBy('id')
    .execute();
  return rows.map(({ action }) => action);
};

describe('a new password that is sent to a datalogger', () => {
  test('is confirmed once it has connected with it, and both are good for 24 hours', async () => {
    const { sn, id, edge } = await datalogger();
    const heard = told(edge);
    const { commandID } = await rotatePassword(stores(), { moduleID: id }, context);
    const { newCredential = '', id: toldId } = await heard;
    expect(toldId).toBe(commandID);
    expect(newCredential).toMatch(/^[a-z2-7]{26}$/);
    await answer(edge, commandID);
    expect(await inState(commandID, 'acknowledged')).toMatchObject({ code: 0, content: { action: 'NewCredential' } });
    await edge.breakOff();
    await connect(sn, { password: newCredential });
    await inState(commandID, 'confirmed');
    const { former_token_until, next_token_until } = await row(sn);
    expect(next_token_until).toBeNull();
    expect((former_token_until?.getTime() ?? 0) - Date.now()).toBeGreaterThan(DAY_MS - 120_000);
    expect(await mayConnect(sn, TEST_PASSWORD)).toBe(true);
    expect(await mayConnect(sn, newCredential)).toBe(true);
    await own.stores.db
      .updateTable('loggers')
      .set({ former_token_until: new Date(Date.now() - 1) })
      .where('sn', '=', sn)
      .execute();
    await own.restart();
    expect(await mayConnect(sn, TEST_PASSWORD)).toBe(false);
    expect(await mayConnect(sn, newCredential)).toBe(true);
  });

  test('is confirmed as well where its answer was lost', async () => {
    const { sn, id, edge } = await datalogger();
    const heard = told(edge);
    const { commandID } = await rotatePassword(stores(), { moduleID: id }, context);
    const { newCredential = '' } = await heard;
    await edge.breakOff();
    await connect(sn, { password: newCredential });
    expect(await inState(commandID, 'confirmed')).toMatchObject({ code: null });
    expect(await recordedOf(commandID)).toEqual(['commands.order', 'commands.end']);
  });

  test('is the same where it is told again, and stands in no table', async () => {
    const { id, edge } = await datalogger();
    const first = told(edge);
    const { commandID } = await rotatePassword(stores(), { moduleID: id }, context);
    const { newCredential = '' } = await first;
    expect((await told(edge)).newCredential).toBe(newCredential);
    const { content } = await stateOf(commandID);
    expect(JSON.stringify(content)).not.toContain(newCredential);
    const audit = await own.stores.db.selectFrom('audit_log').selectAll().where('record_id', '=', id).execute();
    expect(audit.map(({ action }) => action)).toContain('commands.order');
    expect(JSON.stringify(audit)).not.toContain(newCredential);
  });

  test('that it refuses, or says to have taken and never uses, leaves the former one as it was', async () => {
    const { sn, id, edge } = await datalogger();
    const before = await row(sn);
    const heard = told(edge);
    const { commandID } = await rotatePassword(stores(), { moduleID: id }, context);
    await heard;
    await answer(edge, commandID, ResultCode.refused);
    expect(await inState(commandID, 'refused')).toMatchObject({ code: 6 });
    expect((await row(sn)).token_hash).toEqual(before.token_hash);

    const again = told(edge);
    const second = await rotatePassword(stores(), { moduleID: id }, context);
    const { newCredential = '' } = await again;
    await answer(edge, second.commandID);
    await edge.breakOff();
    await connect(sn);
    await inState(second.commandID, 'acknowledged');
    await own.stores.db
      .updateTable('loggers')
      .set({ next_token_until: new Date(Date.now() - 1) })
      .where('sn', '=', sn)
      .execute();
    await own.restart();
    expect(await mayConnect(sn, newCredential)).toBe(false);
    expect(await mayConnect(sn, TEST_PASSWORD)).toBe(true);
  });

  test('is not sent without TLS: neither ordered, nor told to whom has left it since', async () => {
    const plain = await datalogger({ isPlain: true });
    const refused = rotatePassword(stores(), { moduleID: plain.id }, context);
    await expect(refused).rejects.toMatchObject({ errno: errno.rotationNeedsTls });

    const left = await datalogger();
    await left.edge.breakOff();
    await until(async () => !(await row(left.sn)).online, 'the datalogger away');
    const { commandID } = await rotatePassword(stores(), { moduleID: left.id }, context);
    const edge = await connect(left.sn, { isPlain: true });
    expect(await inState(commandID, 'refused')).toMatchObject({ code: 6, message: 'TLS' });
    expect(edge.commands.map((payload) => parseCommand(payload).newCredential)).not.toContainEqual(expect.any(String));
  });

  test('waits for no other one, and is not sent by a portal whose broker keeps the passwords elsewhere', async () => {
    const { id } = await datalogger();
    await rotatePassword(stores(), { moduleID: id }, context);
    const busy = { errno: errno.dataloggerBusy };
    await expect(rotatePassword(stores(), { moduleID: id }, context)).rejects.toMatchObject(busy);
    await expect(restartDatalogger(stores(), { moduleID: id }, context)).rejects.toMatchObject(busy);
    const elsewhere = { ...stores(), broker: { port: undefined, isSecure: true } };
    await expect(rotatePassword(elsewhere, { moduleID: id }, context)).rejects.toMatchObject({
      errno: errno.rotationByOtherBroker,
    });
  });
});

describe('a restart of a datalogger', () => {
  test('is acknowledged by its answer, and confirmed by its birth on a new connection alone', async () => {
    const { sn, id, edge } = await datalogger({ isPlain: true });
    const heard = told(edge);
    const { commandID } = await restartDatalogger(stores(), { moduleID: id }, context);
    expect((await heard).actions).toMatchObject([{ action: 'Reboot' }]);
    await answer(edge, commandID);
    await inState(commandID, 'acknowledged');
    // A birth that was asked for is none of a restart.
    await edge.birth([{ name: 'Properties/Profile', datatype: DataType.String, value: 'PV-1' }]);
    await own.ingestion.drain();
    expect((await stateOf(commandID)).state).toBe('acknowledged');
    await edge.breakOff();
    await connect(sn, { isPlain: true });
    await inState(commandID, 'confirmed');
  });

  test('whose answer was lost is told again under its id, and confirmed by the answer after it', async () => {
    const { sn, id, edge } = await datalogger({ isPlain: true });
    const heard = told(edge);
    const { commandID } = await restartDatalogger(stores(), { moduleID: id }, context);
    await heard;
    await edge.breakOff();
    const back = await TestEdge.connect(own.ingestion.port, sn);
    edges.push(back);
    const again = told(back);
    await back.birth([{ name: 'Properties/Profile', datatype: DataType.String, value: 'PV-1' }]);
    expect((await again).id).toBe(commandID);
    await answer(back, commandID);
    expect(await inState(commandID, 'confirmed')).toMatchObject({ code: 0, tries: 2 });
  });
});
