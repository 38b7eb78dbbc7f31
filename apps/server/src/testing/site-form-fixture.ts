import type { Input } from '@sonnenwarte/contract/endpoint';
import { type add, type edit, form } from '@sonnenwarte/contract/site-form/site-form';
import { sql } from 'kysely';
import { afterAll, beforeAll } from 'vitest';
import { newDataloggerKey, noteDataloggers } from '../datalogger-keys/datalogger-keys.store.ts';
import { freshSn } from './ingestion.ts';
import { plantInput } from './plant-form.ts';
import { PlantsFixture } from './plants-fixture.ts';

export const fieldsOf = (result: unknown) =>
  (result as { fields: { path: string; reason: string }[] }).fields.map(({ path, reason }) => [path, reason]);
export const whole = {
  ...plantInput,
  address: 'Am Hang 1',
  postcode: '83043',
  position: { latitude: 47.863, longitude: 12.01 },
  price: '0.0803',
  purchasePrice: '0.32',
  ratedPowerW: 10_000,
  commissionedOn: '2026-05-04',
  gridConnectedOn: '2026-05-11',
  installerContact: { name: 'Solar Süd', email: 'dienst@example.com', phone: '+49 8061 1234' },
  userContact: { name: 'Familie Huber', email: '', phone: '' },
  arrays: [
    { name: 'Ost', azimuthDeg: 90, inclinationDeg: 35, kwp: 4.1, modules: 10, moduleType: 'M410' },
    { name: 'West', azimuthDeg: 270, inclinationDeg: 35, kwp: 5.33, modules: 13, moduleType: 'M410' },
  ],
} satisfies Partial<Input<typeof add>>;

/** A tree of organisations with people who add and edit plants, and others who may not. */
export function ownSiteForms() {
  let api: PlantsFixture;
  let platform: { id: string };
  let agentOrganisation: { id: string; path: string[] };
  let installerOrganisation: { id: string };
  let customer: { id: string };
  let tokens: Record<'admin' | 'agent' | 'installer' | 'stranger' | 'owner' | 'neighbour', string>;

  beforeAll(async () => {
    api = await PlantsFixture.start();
    const top = await api.addOrganisation('platform');
    platform = top;
    agentOrganisation = await api.addOrganisation('agent', top.path);
    const below = await api.addOrganisation('installer', agentOrganisation.path);
    installerOrganisation = below;
    const beside = await api.addOrganisation('installer', agentOrganisation.path);
    const owner = await api.addAccount(below.id, 1);
    customer = owner;
    tokens = {
      admin: api.signIn(await api.addAccount(top.id, 255)),
      agent: api.signIn(await api.addAccount(agentOrganisation.id, 3)),
      installer: api.signIn(await api.addAccount(below.id, 2)),
      stranger: api.signIn(await api.addAccount(beside.id, 2)),
      owner: api.signIn(owner),
      neighbour: api.signIn(await api.addAccount(below.id, 1)),
    };
  });
  afterAll(() => api?.stop());

  const printed = async () => {
    const module = { sn: freshSn(), key: newDataloggerKey() };
    await noteDataloggers(api.db, [{ ...module, organisationID: null }]);
    return module;
  };

  const siteRow = (id: string) => api.db.selectFrom('sites').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const recordOf = async (id: string) =>
    api.db
      .selectFrom('audit_log')
      .select(['action', 'before', 'after', sql<string[]>`organisation_path::text[]`.as('path')])
      .where('record_id', '=', id)
      .orderBy('id')
      .execute();

  /** The fields of a form as they are sent back. */
  async function opened(stationID: string, token: string): Promise<Input<typeof edit>> {
    const {
      modules: _,
      owner: __,
      organisation: ___,
      pricesSince: ____,
      tariffs: _____,
      ...fields
    } = await api.read(form, { stationID }, token);
    return { ...fields, type: fields.type };
  }

  return {
    get api() {
      return api;
    },
    get platform() {
      return platform;
    },
    get agentOrganisation() {
      return agentOrganisation;
    },
    get installerOrganisation() {
      return installerOrganisation;
    },
    get customer() {
      return customer;
    },
    get tokens() {
      return tokens;
    },
    printed,
    siteRow,
    recordOf,
    opened,
  };
}
