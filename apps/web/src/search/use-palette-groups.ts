import { find } from '@sonnenwarte/contract/search/search';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { read } from '../client/queries.ts';
import type { PaletteGroup, PaletteRow } from './rows.ts';
import { useFoundRows } from './use-found-rows.ts';
import { useKnownRows } from './use-known-rows.ts';
import { matches, questionOf, type Wish } from './wish.ts';

const PAUSE_MS = 120;
/** Of screens and actions beside the other kinds. */
const MOST_BESIDE = 3;

/** What is asked for: the wish as it stood when typing last paused. */
function usePaused<T>(value: T): T {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}

export interface PaletteAnswer {
  groups: readonly PaletteGroup[];
  /** What is shown may still change. */
  isAsking: boolean;
  error: Error | null;
  retry: () => void;
}

/** Rows of the palette by kind. What was found before stays until there is something new. */
export function usePaletteGroups(wish: Wish): PaletteAnswer {
  const { t } = useTranslation();
  const { kind, text } = wish;
  const current = questionOf(wish);
  const key = JSON.stringify(current ?? null);
  const pausedKey = usePaused(key);
  const question = useMemo(() => JSON.parse(pausedKey) as typeof current | null, [pausedKey]);
  const isAsked = current !== undefined && question !== null && question !== undefined;
  const answer = useQuery({
    ...read(find, question ?? { content: '-' }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const toRows = useFoundRows();
  const known = useKnownRows();

  const wants = (each: Wish['kind']) => kind === 'all' || kind === each;
  const group = (each: Wish['kind'], title: string, rows: readonly PaletteRow[]): PaletteGroup => {
    const most = kind === 'all' ? MOST_BESIDE : rows.length;
    return { kind: each, title, rows: rows.slice(0, most), more: rows.length > most };
  };
  const found = isAsked ? answer.data : undefined;
  const fromServer = (each: Wish['kind']): PaletteGroup[] =>
    found === undefined ? [] : toRows(found).filter((part) => part.kind === each && wants(each));
  const named = (rows: readonly PaletteRow[]) => rows.filter(({ name, line }) => matches(`${name} ${line}`, text));

  const groups: PaletteGroup[] = [];
  if (text === '' && kind === 'all')
    groups.push({ kind: 'all', title: t('search.recent'), rows: known.recent(), more: false });
  groups.push(...fromServer('plants'), ...fromServer('devices'), ...fromServer('orders'));
  if (wants('actions') && (text !== '' || kind === 'actions')) {
    const actions = known
      .actions(found)
      .filter(({ row, offered }) => offered || matches(row.name, text))
      .map(({ row }) => row);
    groups.push(group('actions', t('search.kind.actions'), actions));
  }
  groups.push(...fromServer('people'));
  if (wants('screens') && (text !== '' || kind === 'screens'))
    groups.push(group('screens', t('search.kind.screens'), named(known.screens)));
  return {
    groups: groups.filter(({ rows }) => rows.length > 0),
    isAsking: current !== undefined && (key !== pausedKey || answer.isFetching),
    error: isAsked ? answer.error : null,
    retry: () => void answer.refetch(),
  };
}
