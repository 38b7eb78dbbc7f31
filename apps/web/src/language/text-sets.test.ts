import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Endpoint, ListEndpoint } from '@sonnenwarte/contract/endpoint';
import { features } from '@sonnenwarte/phrases/check';
import { textsOfFeatures } from '@sonnenwarte/phrases/files';
import { phraseLanguages } from '@sonnenwarte/phrases/languages';
import { describe, expect, test } from 'vitest';
import { shownFeatures, textSets } from '../../text-sets.ts';
import type { ActionTable } from '../blocks/actions/actions.tsx';
import { textsOf } from '../blocks/list/list-text.ts';

const src = path.join(import.meta.dirname, '..');
const contract = path.join(src, '../../../packages/contract/src');
const MOST_FIRST_BYTES = 20_000;
/** Read by the server, or fetched by the page that shows them. */
const elsewhere = ['burn-in-paper', 'errors', 'legal', 'mail', 'monthly-sheet', 'notices'];

const sets = textSets();
const names = [...sets.keys()];
const shown = new Set(shownFeatures());
const modulesOf = (set: string): string[] => [...(sets.get(set)?.modules ?? [])];

/** The features whose texts are there when a set is. */
function there(set: string): ReadonlySet<string> {
  const { before, features: own = [] } = sets.get(set) ?? {};
  return new Set([...own, ...(before ? (sets.get(before)?.features ?? []) : [])]);
}

/** What of `[who, feature]` has no texts there. */
const withoutTexts = (set: string, wanted: readonly (readonly [string, string])[]): string[] =>
  wanted
    .filter(([, feature]) => !there(set).has(feature))
    .map(([who, feature]) => `${path.relative(src, who)}: ${feature}`);

const featureOf = (key: string): string => key.split('.')[0] ?? '';

type Exports = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isTable = (value: unknown): value is ActionTable<unknown> =>
  isObject(value) && 'actions' in value && 'texts' in value;
const isEndpoint = (value: unknown): value is Endpoint & { list?: ListEndpoint['list'] } =>
  isObject(value) && 'path' in value && 'feature' in value;

/** Features of the texts by which fields, lists and choices of an endpoint are called. */
function namedBy(endpoint: Endpoint & { list?: ListEndpoint['list'] }): string[] {
  const { list, feature } = endpoint;
  if (!list) return shown.has(feature) ? [feature] : [];
  const phrases = Object.values(list.fields).flatMap((field) => ('phrases' in field ? [String(field.phrases)] : []));
  return [textsOf(endpoint as ListEndpoint), ...phrases].map(featureOf);
}

const tables = new Map(
  Object.entries(import.meta.glob<Exports>('../*/*-actions.tsx', { eager: true })).map(([file, exported]) => [
    path.join(import.meta.dirname, file),
    Object.values(exported).filter(isTable),
  ]),
);

describe('the texts of a screen', () => {
  test('are told from its code, for each room that has screens', () => {
    const rooms = readdirSync(src).filter((room) => existsSync(path.join(src, room, 'routes.tsx')));
    expect(names).toEqual(expect.arrayContaining(rooms));
    expect(names.filter((set) => !rooms.includes(set)).sort()).toEqual([
      'account-drawer',
      'command',
      'conditions',
      'corrections',
      'data-repair',
      'delete-sites',
      'documents-of',
      'drift',
      'entry',
      'evidence',
      'forecast',
      'handover',
      'home-alarms',
      'incident-evidence',
      'kinks',
      'migrate-plants',
      'monthly-report',
      'open-orders',
      'orders-of',
      'origin-of',
      'put-off',
      'records-of',
      'share-sites',
      'story',
      'strings',
      'welcome',
      'workspace',
    ]);
  });

  test.each(names)('%s: each feature that is named in a key is there', (set) => {
    const wanted = modulesOf(set).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\bt\(\s*(?:[^'"`()]*\?\s*)?[`'"]([\w-]+)\./g)].map(
        ([, feature = '']) => [file, feature] as const,
      ),
    );
    expect(withoutTexts(set, wanted)).toEqual([]);
  });

  test.each(names)('%s: labels of actions are there', (set) => {
    const wanted = modulesOf(set).flatMap((file) =>
      (tables.get(file) ?? []).map(({ texts }) => [file, featureOf(texts)] as const),
    );
    expect(withoutTexts(set, wanted)).toEqual([]);
  });

  const screens = names.filter((set) => sets.get(set)?.before);
  test.each(screens)('%s: names of fields, lists and choices are there', async (set) => {
    const files = modulesOf(set).filter((file) => file.startsWith(contract));
    const wanted = await Promise.all(
      files.map(async (file) =>
        Object.values((await import(file)) as Exports)
          .filter(isEndpoint)
          .flatMap(namedBy)
          .map((feature) => [file, feature] as const),
      ),
    );
    expect(withoutTexts(set, wanted.flat())).toEqual([]);
  });

  test('what begins before there is a screen has neither lists nor forms, whose words are those of their endpoints', () => {
    const built = modulesOf('workspace').filter((file) =>
      /\b(?:useEndpointForm|useList|useListText)\(/.test(readFileSync(file, 'utf8')),
    );
    expect(built.map((file) => path.relative(src, file))).toEqual([]);
  });

  test('every feature is in a set, or is shown by nobody by key', () => {
    const all = new Set(names.flatMap((set) => sets.get(set)?.features ?? []));
    expect([...all, ...elsewhere].sort()).toEqual(features());
  });
});

test.each(phraseLanguages)(
  'the texts of a first page are below 20 kB in %s, those of the sign-in far below',
  (language) => {
    const bytes = (set: string) =>
      gzipSync(JSON.stringify(textsOfFeatures(sets.get(set)?.features ?? [], language)), { level: 9 }).length;
    expect(bytes('workspace')).toBeLessThan(MOST_FIRST_BYTES);
    expect(bytes('entry')).toBeLessThan(MOST_FIRST_BYTES / 4);
  },
);
