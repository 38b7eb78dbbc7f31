import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  dataloggerMayPublish,
  dataloggerMaySubscribe,
  isCommandTopic,
  isDataloggerSn,
  isDeviceSn,
  jsonTopic,
  parseJsonTopic,
  parseSparkplugTopic,
  type SparkplugMessageType,
  sparkplugTopic,
  stateTopic,
} from './topics.ts';

const sn = '123456789012345';
const other = '123456789012346';

describe('topics', () => {
  test('of commands are those on which a logger or its device is told to do something, and no others', () => {
    const told = [sparkplugTopic('solar', 'NCMD', sn), sparkplugTopic('solar', 'DCMD', sn, 'I1'), jsonTopic(sn, 'cmd')];
    const others = [
      sparkplugTopic('solar', 'NDATA', sn),
      sparkplugTopic('solar', 'DBIRTH', sn, 'NCMD'),
      jsonTopic(sn, 'ack'),
      stateTopic('NCMD'),
      'pv/v1/cmd',
      'cmd',
    ];
    expect(told.filter((topic) => !isCommandTopic(topic))).toEqual([]);
    expect(others.filter(isCommandTopic)).toEqual([]);
  });

  test('a topic that was built is taken apart into the same parts', () => {
    const segment = fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/).filter((text) => text !== 'STATE');
    const node = fc.constantFrom<SparkplugMessageType>('NBIRTH', 'NDEATH', 'NDATA', 'NCMD');
    const device = fc.constantFrom<SparkplugMessageType>('DBIRTH', 'DDEATH', 'DDATA', 'DCMD');
    fc.assert(
      fc.property(segment, node, device, segment, segment, (group, nodeType, deviceType, edge, dev) => {
        expect(parseSparkplugTopic(sparkplugTopic(group, nodeType, edge))).toEqual({ group, type: nodeType, edge });
        expect(parseSparkplugTopic(sparkplugTopic(group, deviceType, edge, dev))).toEqual({
          group,
          type: deviceType,
          edge,
          device: dev,
        });
      }),
    );
    expect(parseSparkplugTopic(stateTopic('portal'))).toEqual({ type: 'STATE', host: 'portal' });
  });

  test.each([
    'spBv1.0/solar/NDATA',
    'spBv1.0/solar/NDATA/',
    'spBv1.0/solar/NDATA/e/d',
    'spBv1.0/solar/DDATA/e',
    'spBv1.0/solar/DDATA/e/d/x',
    'spBv1.0/solar/DDATA/e/+',
    'spBv1.0/+/NDATA/e',
    'spBv1.0//NDATA/e',
    'spBv1.0/STATE',
    'spBv1.0/STATE/a/b',
    'spAv1.0/solar/NDATA/e',
    '',
  ])('%s is no topic of a message', (topic) => {
    expect(parseSparkplugTopic(topic)).toBeNull();
  });

  test('topics of the JSON on-ramp are taken apart, others are not', () => {
    expect(jsonTopic(sn, 'up')).toBe(`pv/v1/${sn}/up`);
    expect(parseJsonTopic(`pv/v1/${sn}/ack`)).toEqual({ sn, channel: 'ack' });
    expect(parseJsonTopic(`pv/v1/${sn}/other`)).toBeNull();
    expect(parseJsonTopic(`pv/v1/${sn}/up/x`)).toBeNull();
    expect(parseJsonTopic('pv/v1/+/up')).toBeNull();
    expect(parseJsonTopic(`pv/v2/${sn}/up`)).toBeNull();
  });

  test('serial numbers are recognised', () => {
    expect(isDataloggerSn(sn)).toBe(true);
    expect(
      ['12345678901234', '1234567890123456', '12345678901234x', '１２３456789012345', ''].some(isDataloggerSn),
    ).toBe(false);
    expect(['a', 'A-9_z', 'x'.repeat(32)].every(isDeviceSn)).toBe(true);
    expect(['', 'x'.repeat(33), 'a/b', 'a+', '#', 'ä', 'a b'].some(isDeviceSn)).toBe(false);
  });
});

describe('what a logger may do', () => {
  test('it publishes its own births, deaths, data and JSON readings', () => {
    for (const type of ['NBIRTH', 'NDEATH', 'NDATA'] as const) {
      expect(dataloggerMayPublish(sn, sparkplugTopic('solar', type, sn))).toBe(true);
    }
    for (const type of ['DBIRTH', 'DDEATH', 'DDATA'] as const) {
      expect(dataloggerMayPublish(sn, sparkplugTopic('solar', type, sn, 'INV-1'))).toBe(true);
    }
    for (const channel of ['up', 'status', 'ack'] as const) {
      expect(dataloggerMayPublish(sn, jsonTopic(sn, channel))).toBe(true);
    }
    expect(dataloggerMayPublish(sn, sparkplugTopic('north', 'NDATA', sn), 'north')).toBe(true);
  });

  test.each([
    sparkplugTopic('solar', 'NDATA', other),
    sparkplugTopic('north', 'NDATA', sn),
    sparkplugTopic('solar', 'NCMD', sn),
    sparkplugTopic('solar', 'DCMD', sn, 'INV-1'),
    sparkplugTopic('solar', 'DDATA', sn, 'INV 1'),
    `spBv1.0/solar/DDATA/${sn}/#`,
    `spBv1.0/solar/NDATA/${sn}/`,
    stateTopic('portal'),
    jsonTopic(other, 'up'),
    jsonTopic(sn, 'cmd'),
    '$SYS/broker',
    `/spBv1.0/solar/NDATA/${sn}`,
    '',
  ])('it does not publish on %s', (topic) => {
    expect(dataloggerMayPublish(sn, topic)).toBe(false);
  });

  test.each([
    `spBv1.0/solar/NCMD/${sn}`,
    `spBv1.0/solar/NCMD/${sn}/#`,
    `spBv1.0/solar/DCMD/${sn}/#`,
    `spBv1.0/solar/DCMD/${sn}/+`,
    `spBv1.0/solar/DCMD/${sn}/INV-1`,
    'spBv1.0/STATE/#',
    'spBv1.0/STATE/+',
    'spBv1.0/STATE/portal',
    'STATE/#',
    `pv/v1/${sn}/cmd`,
  ])('it subscribes to %s', (filter) => {
    expect(dataloggerMaySubscribe(sn, filter)).toBe(true);
  });

  test.each([
    '#',
    '+/#',
    'spBv1.0/#',
    'spBv1.0/+/NCMD/#',
    `spBv1.0/+/NCMD/${sn}`,
    'spBv1.0/solar/#',
    'spBv1.0/solar/NCMD/#',
    'spBv1.0/solar/NCMD/+',
    'spBv1.0/solar/DCMD/+/#',
    `spBv1.0/solar/+/${sn}`,
    `spBv1.0/solar/DCMD/${other}/#`,
    `spBv1.0/solar/NDATA/${sn}`,
    `spBv1.0/solar/DCMD/${sn}/+/#`,
    `spBv1.0/solar/NCMD/${sn}/+`,
    `$share/g/spBv1.0/solar/NCMD/${sn}`,
    'pv/v1/+/cmd',
    `pv/v1/${sn}/#`,
    `pv/v1/${other}/cmd`,
    '$SYS/#',
    '+',
    '',
  ])('it does not subscribe to %s', (filter) => {
    expect(dataloggerMaySubscribe(sn, filter)).toBe(false);
  });

  test('a name that is no serial number may do nothing', () => {
    expect(dataloggerMayPublish('+', 'spBv1.0/solar/NDATA/+')).toBe(false);
    expect(dataloggerMaySubscribe('+', 'spBv1.0/solar/NCMD/+')).toBe(false);
    expect(dataloggerMaySubscribe('#', 'spBv1.0/solar/NCMD/#')).toBe(false);
  });
});
