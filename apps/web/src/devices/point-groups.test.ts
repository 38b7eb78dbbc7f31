import { describe, expect, test } from 'vitest';
import { grouped, groupOf, phraseCandidates } from './point-groups.ts';

describe('the phrase of a point', () => {
  test('is that of its exact name before that of the numbered row', () => {
    expect(phraseCandidates('AC/L12/Voltage').map((each) => each.key)).toEqual(['acL12Voltage', 'acLVoltage']);
    expect(phraseCandidates('AC/L2/Voltage')[1]).toEqual({ key: 'acLVoltage', n: '2' });
    expect(phraseCandidates('DC/Mppt3/Power')[1]).toEqual({ key: 'dcMpptPower', n: '3' });
    expect(phraseCandidates('AC/ActivePower')).toEqual([{ key: 'acActivePower', n: '' }]);
  });
});

describe('groups of points', () => {
  test('follow the first part of the name, and what is unknown is not lost', () => {
    expect(groupOf('DC/Power')).toBe('pv');
    expect(groupOf('Vendor/Thing')).toBe('other');
  });

  test('keep the order in which the values are told', () => {
    const value = (variable: string) => ({ variable, unit: 'V', value: 1, tsMs: 0 });
    const [pv, ac] = grouped([
      value('AC/ActivePower'),
      value('DC/Power'),
      value('AC/L1/Voltage'),
      value('DC/BusVoltage'),
    ]);
    expect(pv?.values.map((each) => each.variable)).toEqual(['DC/Power', 'DC/BusVoltage']);
    expect(ac?.values.map((each) => each.variable)).toEqual(['AC/ActivePower', 'AC/L1/Voltage']);
  });
});
