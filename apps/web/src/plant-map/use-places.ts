import type { Input } from '@sonnenwarte/contract/endpoint';
import {
  MAX_FIRST,
  type MapView,
  mapView,
  type PlaceBounds,
  positions,
  type Ranking,
} from '@sonnenwarte/contract/sites/site-places';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { read } from '../client/queries.ts';
import { boundsAround, type Marks, marksOfGroups, marksOfPlaces, within } from './marks.ts';

/** Plants of a part of the map that are named. */
export const MOST_NAMED = MAX_FIRST;
const REFRESH_MS = 60_000;
/** So long the map lies still before it is asked what is there. */
const STILL_MS = 200;
/** Parts of the map that were seen are not kept for long: each is up to some hundred kB. */
const KEPT_MS = 30_000;

/** What is seen of the map. */
export interface SeenPart {
  readonly bounds: PlaceBounds;
  readonly zoom: number;
}

type Condition = Input<typeof positions>['condition'];

interface Asked {
  readonly condition: Condition;
  readonly by: Ranking;
  readonly seen: SeenPart | undefined;
}

/** The newest value once it has not changed for a while; the first one at once. */
function useStill<T>(value: T | undefined): T | undefined {
  const [still, setStill] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setStill(value), STILL_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return still ?? value;
}

const marksOf = ({ places, groups }: MapView): Marks => (places ? marksOfPlaces(places) : marksOfGroups(groups));

/** The plants of the map: all of them, or, where these are too many, what the server tells of the part that is seen. */
export function usePlaces({ condition, by, seen }: Asked) {
  const cache = useQueryClient();
  const all = useQuery({
    ...read(positions, { condition }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const { data: told } = all;
  const isGrouped = told?.grouped === true;
  const asked = useStill(seen);
  const part = useQuery({
    ...read(mapView, { condition, by, view: asked?.bounds ?? NOWHERE, zoom: asked?.zoom ?? 0 }),
    enabled: isGrouped && asked !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
    gcTime: KEPT_MS,
  });
  const { data: view } = part;
  const marks = useMemo(() => {
    if (told === undefined || !told.grouped) return told && marksOfPlaces(told);
    return view && marksOf(view);
  }, [told, view]);

  const inView = useMemo(() => {
    if (isGrouped) return { total: view?.inView ?? 0, ids: view?.first ?? [] };
    if (!marks || !seen) return { total: 0, ids: [] };
    const { total, first } = within(marks, by, seen.bounds, MOST_NAMED);
    return { total, ids: first.map((mark) => marks.idOf(mark) ?? '') };
  }, [isGrouped, view, marks, seen, by]);

  /** The plants of some marks, as far as they are named. */
  const plantsOf = useCallback(
    async (held: readonly number[], zoom: number): Promise<readonly string[]> => {
      if (!marks) return [];
      const ids = held.flatMap((mark) => marks.idOf(mark) ?? []);
      if (ids.length === held.length) return ids;
      const around = read(mapView, { condition, by, view: boundsAround(marks, held), zoom });
      return (await cache.fetchQuery(around)).first;
    },
    [cache, condition, by, marks],
  );

  return {
    told,
    marks,
    inView,
    plantsOf,
    /** What is told answers what is asked now. */
    isCurrent: told !== undefined && !all.isPlaceholderData,
    isLoading: marks === undefined && !all.error && !part.error,
    error: all.error ?? (isGrouped ? part.error : null),
    refetch: () => Promise.all([all.refetch(), isGrouped && part.refetch()]),
  };
}

const NOWHERE: PlaceBounds = { south: 0, west: 0, north: 0, east: 0 };
