import { brandEndpoints as calls } from '@sonnenwarte/contract/brands/brands';
import type { Input } from '@sonnenwarte/contract/endpoint';
import { errno } from '@sonnenwarte/contract/errors';
import { imageSize } from 'image-size';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressUnder, brandOf, logoOf } from '../branding/brand-of.ts';
import { plainJpeg } from '../testing/jpeg.ts';
import { type OrderWorld, orderWorld, sendFile } from '../testing/order-fixture.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { forgetUnusedLogos } from './brands.store.ts';

const NOW_MS = Date.UTC(2026, 5, 16, 11, 0);
let plants: PlantsFixture;
let world: OrderWorld;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
  world = await orderWorld(plants);
});
afterAll(() => plants.stop());

const token = () => world.people.admin.token;
const add = (brand: Partial<Input<typeof calls.add>> = {}) =>
  plants.call(calls.add, { name: 'Helios', domain: 'helios.example', ...brand }, token());
const sendLogo = (bytes: Uint8Array) => sendFile(plants, calls.uploadLogo, bytes, token());

test('a logo is made anew as a PNG, by what it is, and kept by browsers under the key of its content', async () => {
  const { result } = await sendLogo(await plainJpeg(1_600, 400));
  expect(result).toMatchObject({ width: 640, height: 160 });
  const response = await fetch(`${plants.url}${calls.logo.path}?key=${result.logo}`);
  expect(response.headers.get('content-type')).toBe('image/png');
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(imageSize(Buffer.from(await response.arrayBuffer()))).toMatchObject({ type: 'png', width: 640, height: 160 });
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  for (const bytes of [svg, Buffer.from('GIF89a'), Buffer.of()])
    expect(await sendLogo(bytes)).toMatchObject({ errno: errno.logoUnreadable });
  expect(await sendLogo(Buffer.alloc(2 * 1024 * 1024 + 1, 1))).toMatchObject({ errno: errno.logoTooLarge });
  const unknown = await fetch(`${plants.url}${calls.logo.path}?key=${'0'.repeat(64)}`);
  expect(await unknown.json()).toMatchObject({ errno: errno.logoNotFound });
});

test('a logo that no brand has goes after a day, that of a brand stays', async () => {
  const { result: kept } = await sendLogo(await plainJpeg(32, 32));
  const { result: given } = await sendLogo(await plainJpeg(48, 32));
  const { result } = await add({ domain: 'logo.example', logo: kept.logo });
  await forgetUnusedLogos(plants.db, new Date(NOW_MS + 1));
  expect(await logoOf(plants.db, kept.logo)).toBeDefined();
  expect(await logoOf(plants.db, given.logo)).toBeUndefined();
  expect(await add({ domain: 'other.example', logo: given.logo })).toMatchObject({ errno: errno.logoNotFound });
  await plants.read(calls.remove, { brandID: result.brandID }, token());
});

test('a domain and an organisation have one brand, and only what can be a host is a domain', async () => {
  const { result } = await add({ domain: 'Bücher-Solar.Example', organisationID: world.agent.id });
  const { brands } = await plants.read(calls.list, {}, token());
  expect(brands).toMatchObject([{ domain: 'xn--bcher-solar-thb.example', organisationID: world.agent.id }]);
  expect(await add({ domain: 'bücher-solar.example' })).toMatchObject({
    errno: errno.refusedInput,
    result: { fields: [{ path: 'domain', reason: 'taken' }] },
  });
  expect(await add({ domain: 'two.example', organisationID: world.agent.id })).toMatchObject({
    errno: errno.refusedInput,
    result: { fields: [{ path: 'organisationID', reason: 'taken' }] },
  });
  for (const domain of [
    'https://a.example',
    'a.example/x',
    'a.example:8080',
    'a b.example',
    '-a.example',
    'a..example',
    '',
  ])
    expect(await add({ domain })).toMatchObject({ errno: errno.refusedInput });
  for (const odd of [
    { colour: 'red' },
    { colour: '#fff' },
    { downloadLink: 'javascript:alert(1)' },
    { mailAddress: 'a@b\r\nBcc: c@d.e' },
  ])
    expect(await add({ domain: 'odd.example', ...odd })).toMatchObject({ errno: errno.refusedInput });
  expect(await add({ domain: 'x.example', organisationID: world.site.id })).toMatchObject({
    errno: errno.organisationNotFound,
  });
  await plants.read(calls.remove, { brandID: result.brandID }, token());
});

test('the nearest brand above an account is its own, else that of the domain by which it came', async () => {
  const of = async (domain: string, organisationID: string | null) =>
    (await add({ name: domain, domain, organisationID })).result.brandID;
  const ids = [
    await of('agent.example', world.agent.id),
    await of('installer.example', world.installer.id),
    await of('host.example', null),
  ];
  const nameOf = async (place: Parameters<typeof brandOf>[1]) => (await brandOf(plants.db, place))?.domain;
  expect(await nameOf({ accountId: world.people.owner.id })).toBe('installer.example');
  expect(await nameOf({ accountId: world.people.other.id, host: 'host.example' })).toBe('agent.example');
  expect(await nameOf({ organisationId: world.installer.id })).toBe('installer.example');
  expect(await nameOf({ accountId: world.people.distributor.id, host: 'host.example' })).toBe('host.example');
  expect(await nameOf({ accountId: world.people.distributor.id, host: 'host.example.evil.example' })).toBeUndefined();
  expect(await nameOf({ accountId: world.people.distributor.id })).toBeUndefined();
  expect(addressUnder('https://portal.example:8443', { domain: 'host.example' })).toBe('https://host.example:8443');
  for (const brandID of ids) await plants.read(calls.remove, { brandID }, token());
});

test('nobody but the administrator knows of brands, and one that is not there is not found', async () => {
  for (const by of [world.people.owner, world.people.installer, world.people.distributor, world.people.integrator]) {
    expect(await plants.call(calls.list, {}, by.token)).toMatchObject({ errno: errno.noPermission });
    expect(await plants.call(calls.remove, { brandID: world.site.id }, by.token)).toMatchObject({
      errno: errno.noPermission,
    });
  }
  expect(await plants.call(calls.remove, { brandID: world.site.id }, token())).toMatchObject({
    errno: errno.brandNotFound,
  });
});
