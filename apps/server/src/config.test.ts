import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError, readConfig, rememberDemo } from './config.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-config-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (env: Record<string, string> = {}) => readConfig({ DATA_DIR: join(folder, 'data'), ...env });

test('an empty environment gives the documented defaults', () => {
  expect(read()).toEqual({
    port: 8080,
    host: '127.0.0.1',
    mqttPort: 1883,
    mqttPlain: false,
    mqttTls: { port: 8883, isAsked: false },
    mqttLimits: { mostConnections: 20_000, mostPerNetwork: 15_000, mostUnknown: 1_000 },
    tlsCert: undefined,
    tlsKey: undefined,
    dataDir: join(folder, 'data'),
    demo: true,
    demoMonths: 13,
    databaseUrl: undefined,
    databaseOwnerUrl: undefined,
    clickhouseUrl: undefined,
    mqttUrl: undefined,
    logLevel: 'info',
    production: false,
    publicUrl: undefined,
    trustedProxies: [],
    smtpUrl: undefined,
    mailFrom: 'Sonnenwarte <sonnenwarte@localhost>',
    operatorName: '',
    operatorContact: '',
    mapPlaces: 10_000,
    webhookPrivate: false,
    forecastPrivate: false,
    priceSources: [],
    pricesPrivate: false,
    forOthers: false,
    newTelemetry: false,
    auditKey: undefined,
    auditKeyFile: undefined,
    auditHeadsFile: undefined,
  });
});

test('empty and blank values count as not set', () => {
  expect(read({ PORT: '', MQTT_PORT: ' ', LOG_LEVEL: '' })).toMatchObject({ port: 8080, mqttPort: 1883 });
});

describe.each([
  ['PORT', ['abc', '-1', '65536', '80.5', '0x50', '1e3']],
  ['MQTT_PORT', ['abc', '70000']],
  ['MQTT_PLAIN', ['yes', '1']],
  ['FORECAST_URL', ['api.open-meteo.com', 'file:///etc/passwd', 'ftp://example.com']],
  ['FORECAST_PRIVATE', ['yes', '1']],
  ['PRICES_PRIVATE', ['yes', '1']],
  ['MQTT_TLS_PORT', ['abc', '70000', 'on']],
  ['MQTT_MOST_CONNECTIONS', ['0', '-1', 'many', '1e3']],
  ['MQTT_MOST_PER_NETWORK', ['0', '2000000']],
  ['MQTT_MOST_UNAUTHENTICATED', ['0', '0.5']],
  ['MAP_PLACES', ['0', 'all', '1.5']],
  ['DEMO', ['yes', 'true', '1']],
  ['DEMO_MONTHS', ['-1', '25', '1.5', 'all']],
  ['LOG_LEVEL', ['verbose']],
  ['NODE_ENV', ['prod']],
  ['DATABASE_URL', ['mysql://x', 'localhost:5432', 'postgres']],
  ['CLICKHOUSE_URL', ['clickhouse://x', 'tcp://x:9000']],
  ['MQTT_URL', ['http://x', 'broker']],
  ['SMTP_URL', ['http://x', 'mail.example.com']],
  ['PUBLIC_URL', ['portal.example.com', 'ftp://x']],
  ['TRUSTED_PROXIES', ['proxy', '10.0.0.0/33', '1.2.3']],
])('%s', (name, values) => {
  test.each(values)('refuses "%s" in one line that names the variable, the value and what is allowed', (value) => {
    const attempt = () => read({ [name]: value });
    expect(attempt).toThrow(ConfigError);
    expect(attempt).toThrow(
      new RegExp(`^${name} is "[^\n]*${value.replaceAll(/[.*+?]/g, '\\$&')}[^\n]*must be [^\n]+$`),
    );
  });
});

test('a refused URL is repeated without its password', () => {
  expect(() => read({ DATABASE_URL: 'mysql://me:geheim@host/db' })).toThrow(/^(?!.*geheim).*me:\*\*\*@host/);
});

test('no spelling of a URL gives its password away', () => {
  for (const url of [
    'mysql://me:ge:heim@host/db',
    'mysql://me:ge/heim@host',
    'mysql://me:ge@heim@host',
    'x://host/db?password=geheim',
  ]) {
    expect(() => read({ DATABASE_URL: url }), url).toThrow(/^(?!.*(geheim|heim))/);
  }
  expect(() => read({ METRICS_TOKEN: 'geheim' })).toThrow(/^METRICS_TOKEN must be 16(?!.*geheim)/);
});

test('the port of metrics is neither that of the portal nor that of the broker', () => {
  expect(read().metricsPort).toBeUndefined();
  expect(read({ METRICS_PORT: '9464' }).metricsPort).toBe(9464);
  expect(() => read({ METRICS_PORT: '8080' })).toThrow(/^METRICS_PORT is 8080: it must differ/);
  expect(() => read({ METRICS_PORT: 'x' })).toThrow(/^METRICS_PORT is "x": it must be/);
});

test('whoever sends mails by SMTP names the sender', () => {
  expect(() => read({ SMTP_URL: 'smtp://mail.example.com' })).toThrow(/MAIL_FROM is missing/);
  expect(read({ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'solar@example.com' })).toMatchObject({
    smtpUrl: 'smtp://mail.example.com',
    mailFrom: 'solar@example.com',
  });
});

test('the public address stands without a slash at its end, proxies as a list', () => {
  expect(read({ PUBLIC_URL: 'https://solar.example.com/', TRUSTED_PROXIES: '10.0.0.0/8, ::1' })).toMatchObject({
    publicUrl: 'https://solar.example.com',
    trustedProxies: ['10.0.0.0/8', '::1'],
  });
});

test('the two ports must differ', () => {
  expect(() => read({ PORT: '1883' })).toThrow(/MQTT_PORT.*differ/);
  expect(() => read({ PORT: '8883' })).toThrow(/MQTT_TLS_PORT.*differ/);
  expect(() => read({ MQTT_PORT: '8883' })).toThrow(/MQTT_TLS_PORT.*differ/);
  expect(read({ PORT: '0', MQTT_PORT: '0' })).toMatchObject({ port: 0, mqttPort: 0, mqttTls: { port: 0 } });
});

describe('the demo', () => {
  test('is on for a new and for an empty data folder', () => {
    expect(read().demo).toBe(true);
    mkdirSync(join(folder, 'data'));
    expect(read().demo).toBe(true);
  });

  test('is off for a folder with data, and where a store or a broker is configured', () => {
    expect(read({ CLICKHOUSE_URL: 'http://localhost:8123' }).demo).toBe(false);
    expect(read({ MQTT_URL: 'mqtt://localhost' }).demo).toBe(false);
    mkdirSync(join(folder, 'data', 'postgres'), { recursive: true });
    expect(read().demo).toBe(false);
  });

  test.each([true, false])('stays as it was (%s) at the next start, until DEMO says otherwise', (demo) => {
    const { dataDir } = read();
    rememberDemo({ dataDir, demo });
    writeFileSync(join(dataDir, 'something'), '');
    expect(read().demo).toBe(demo);
    expect(read({ DEMO: demo ? 'off' : 'on' }).demo).toBe(!demo);
  });

  describe.each([
    ['PUBLIC_URL', 'https://solar.example.com'],
    ['HOST', '0.0.0.0'],
    ['HOST', '::'],
    ['HOST', '192.168.1.5'],
    ['OPERATOR_NAME', 'Sonnenhof eG'],
    ['SMTP_URL', 'smtp://mail.example.com'],
  ])('with %s=%s, which means the start for others', (name, value) => {
    const others = { [name]: value, MAIL_FROM: 'solar@example.com' };

    test('is off unless DEMO=on asks for it', () => {
      expect(read(others)).toMatchObject({ demo: false, forOthers: true });
      expect(read({ ...others, DEMO: 'off' })).toMatchObject({ demo: false, forOthers: true });
      expect(read({ ...others, DEMO: 'on' })).toMatchObject({ demo: true, forOthers: true });
    });

    test('is refused in a folder that holds it, with what to do, and goes on where DEMO says so', () => {
      rememberDemo({ dataDir: read().dataDir, demo: true });
      const attempt = () => read(others);
      expect(attempt).toThrow(ConfigError);
      expect(attempt).toThrow(
        new RegExp(`^DATA_DIR .* holds the demo.*${name}.*DEMO=off.*another DATA_DIR.*DEMO=on[^\n]*$`),
      );
      expect(read({ ...others, DEMO: 'off' }).demo).toBe(false);
      expect(read({ ...others, DEMO: 'on' }).demo).toBe(true);
    });
  });

  test.each([
    { PUBLIC_URL: 'http://localhost:8080' },
    { PUBLIC_URL: 'http://127.0.0.1' },
    { PUBLIC_URL: 'http://[::1]:8080' },
    { HOST: '127.0.0.1' },
    { HOST: 'localhost' },
    { HOST: '::1' },
  ])('is on with %o, which others do not reach', (env) => {
    expect(read(env)).toMatchObject({ demo: true, forOthers: false });
  });

  test('is off in production, and refused there when asked for or found', () => {
    expect(read({ NODE_ENV: 'production' }).demo).toBe(false);
    expect(() => read({ NODE_ENV: 'production', DEMO: 'on' })).toThrow(/production.*DEMO=off/);
    rememberDemo({ dataDir: read().dataDir, demo: true });
    expect(() => read({ NODE_ENV: 'production' })).toThrow(/production start needs/);
    expect(read({ NODE_ENV: 'production', DEMO: 'off' }).demo).toBe(false);
  });
});

test('TLS of the broker is switched off by "off", and needs a certificate together with its key', () => {
  expect(read({ MQTT_TLS_PORT: 'OFF' }).mqttTls).toBeUndefined();
  expect(read({ MQTT_TLS_PORT: '0' }).mqttTls).toEqual({ port: 0, isAsked: true });
  expect(() => read({ TLS_CERT: 'a.crt' })).toThrow(/^TLS_KEY is missing: /);
  expect(() => read({ TLS_KEY: 'a.key' })).toThrow(/^TLS_CERT is missing: /);
});

describe('sources of market prices', () => {
  test('are read with their zones and shapes, parted by spaces', () => {
    const { priceSources } = read({
      PRICE_SOURCES: ' DE-LU=awattar:https://api.example/v1?a=b,c \n AT=own:http://127.0.0.1:99/',
    });
    expect(priceSources).toEqual([
      { zone: 'DE-LU', shape: 'awattar', url: 'https://api.example/v1?a=b,c' },
      { zone: 'AT', shape: 'own', url: 'http://127.0.0.1:99/' },
    ]);
  });

  test.each([
    'https://example.com',
    'DE-LU=https://example.com',
    'DE-LU=csv:https://example.com',
    'de-lu=own:https://example.com',
    'DE-LU=own:ftp://example.com',
    'AT=own:https://a.example?token=hidden AT=own:https://b.example',
  ])('that are %s are refused without showing an address, which may hold a token', (value) => {
    const attempt = () => read({ PRICE_SOURCES: value });
    expect(attempt).toThrow(ConfigError);
    expect(attempt).not.toThrow(/example|hidden/);
  });
});
