import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { languages } from '../languages.ts';
import { type AlarmStep, alarmCauses, alarmFacts, alarmFactsOf, alarmSteps, stepLinks } from './alarm-facts.ts';

const BEYOND = 99_999;
const LONGEST_CAUSE = 60;
const LONGEST_STEP = 70;
const ofPackages = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** Codes and levels of the catalogue and of what the portal finds itself. */
const catalogue = [
  ...ofPackages('device-protocol/src/points/alarms.ts').matchAll(/^ {2}\{ code: (\d+), level: (\d), name: /gm),
].map(([, code, level]) => ({ code: Number(code), level: Number(level) }));

const all = [...Object.values(alarmFacts), alarmFactsOf(BEYOND)];
const sorted = (ids: Iterable<string>): string[] => [...ids].sort();

describe('what an alarm comes from and what is to be done', () => {
  test('is known of every code of the catalogue and of what the portal finds itself', () => {
    expect(catalogue).toHaveLength(55);
    expect(Object.keys(alarmFacts).map(Number)).toEqual(catalogue.map(({ code }) => code));
  });

  test('is two to five of each, none twice; of a code beyond the catalogue no cause is told', () => {
    for (const [code, { causes, steps }] of Object.entries(alarmFacts)) {
      for (const ids of [causes, steps]) {
        expect([...new Set<string>(ids)], code).toEqual(ids);
        expect(ids.length, code).toBeGreaterThanOrEqual(2);
        expect(ids.length, code).toBeLessThanOrEqual(5);
      }
    }
    expect(alarmFactsOf(BEYOND)).toEqual({ causes: [], steps: ['readManual', 'callService'] });
    expect(alarmFactsOf(2003)).toBe(alarmFacts[2003]);
  });

  test('uses every word of both vocabularies, each once in them', () => {
    expect(sorted(new Set(all.flatMap(({ causes }) => causes)))).toEqual(sorted(alarmCauses));
    expect(sorted(new Set(all.flatMap(({ steps }) => steps)))).toEqual(sorted(alarmSteps));
    expect(Object.keys(stepLinks).filter((step) => !alarmSteps.some((each) => each === step))).toEqual([]);
  });

  test('begins with keeping people off where somebody can be hurt', () => {
    const keepingOff: readonly (AlarmStep | undefined)[] = ['keepOff', 'keepOffBattery', 'treatAsLive'];
    const critical = catalogue.filter(({ level }) => level === 4).map(({ code }) => code);
    expect(critical).toHaveLength(13);
    expect(critical.filter((code) => !keepingOff.includes(alarmFactsOf(code).steps[0]))).toEqual([]);
  });

  test('names first what a fault of the simulator stands for', () => {
    const stoodFor = {
      1001: 'gridVoltageHigh',
      1002: 'gridVoltageLow',
      1003: 'gridFrequency',
      1005: 'gridOutage',
      2001: 'dcCable',
      2003: 'looseConnector',
      2006: 'moduleDefect',
      2007: 'looseConnector',
      3002: 'fanDefect',
      3003: 'blockedCooling',
      3005: 'internalLink',
      4001: 'dataCable',
      4005: 'coldPlace',
      4007: 'rarelyFull',
      5001: 'dataCable',
      5002: 'ctReversed',
      5006: 'weakReception',
      5008: 'chargerFault',
      7002: 'counterReset',
      7003: 'changedAtDevice',
    };
    const first = Object.keys(stoodFor).map((code) => [code, alarmFactsOf(Number(code)).causes[0]]);
    expect(Object.fromEntries(first)).toEqual(stoodFor);
  });
});

describe.each(languages)('the texts in %s', (language) => {
  const texts: Record<'meaning' | 'cause' | 'step', Record<string, string>> = JSON.parse(
    ofPackages(`phrases/src/alarm-facts/${language}.json`),
  );

  test('say what every code means, and name every cause and step', () => {
    expect(Object.keys(texts.meaning)).toEqual([...catalogue.map(({ code }) => `${code}`), 'other']);
    expect(Object.keys(texts.cause)).toEqual([...alarmCauses]);
    expect(Object.keys(texts.step)).toEqual([...alarmSteps]);
  });

  test('name causes and steps in a few words, each by its own', () => {
    expect(Object.values(texts.cause).filter((text) => text.length > LONGEST_CAUSE)).toEqual([]);
    expect(Object.values(texts.step).filter((text) => text.length > LONGEST_STEP)).toEqual([]);
    for (const named of [texts.cause, texts.step]) {
      expect(new Set(Object.values(named)).size).toBe(Object.keys(named).length);
    }
  });
});
