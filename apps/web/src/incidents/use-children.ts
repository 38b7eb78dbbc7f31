import { type IncidentRow, list } from '@sonnenwarte/contract/incidents/incidents';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../client/queries.ts';

const PAGE_SIZE = 10;

/** What is read of incidents that another one explains. */
export const childrenOf = (causeID: string, currentPage = 1) =>
  read(list, { condition: { causeID, view: 'all' }, pageSize: PAGE_SIZE, currentPage });

export interface Family {
  readonly rows: readonly IncidentRow[];
  /** How many more there are. */
  readonly more: number;
  readonly isLoading: boolean;
}

export interface Children {
  readonly isOpened: (incidentID: string) => boolean;
  readonly toggle: (incidentID: string) => void;
  readonly readMore: (incidentID: string) => void;
  readonly of: (incidentID: string) => Family;
}

const none: Family = { rows: [], more: 0, isLoading: false };

/** What opened incidents explain, page by page. */
export function useChildren(refreshMs: number): Children {
  /** Pages that are read, by the incident. */
  const [pages, setPages] = useState<ReadonlyMap<string, number>>(new Map());
  const asked = [...pages].flatMap(([incidentID, count]) =>
    Array.from({ length: count }, (_, at) => ({ incidentID, page: at + 1 })),
  );
  const answers = useQueries({
    queries: asked.map(({ incidentID, page }) => ({ ...childrenOf(incidentID, page), refetchInterval: refreshMs })),
  });
  const families = Map.groupBy(
    asked.map(({ incidentID }, at) => ({ incidentID, answer: answers[at] })),
    ({ incidentID }) => incidentID,
  );
  const change = (incidentID: string, count: number) =>
    setPages((before) => {
      const next = new Map(before);
      if (count === 0) next.delete(incidentID);
      else next.set(incidentID, count);
      return next;
    });
  return {
    isOpened: (incidentID) => pages.has(incidentID),
    toggle: (incidentID) => change(incidentID, pages.has(incidentID) ? 0 : 1),
    readMore: (incidentID) => change(incidentID, (pages.get(incidentID) ?? 0) + 1),
    of: (incidentID) => {
      const family = families.get(incidentID);
      if (family === undefined) return none;
      const rows = family.flatMap(({ answer }) => answer?.data?.incidents ?? []);
      const total = family.findLast(({ answer }) => answer?.data !== undefined)?.answer?.data?.total ?? rows.length;
      return {
        rows: [...new Map(rows.map((row) => [row.incidentID, row])).values()],
        more: Math.max(0, total - rows.length),
        isLoading: family.some(({ answer }) => answer?.isLoading === true),
      };
    },
  };
}
