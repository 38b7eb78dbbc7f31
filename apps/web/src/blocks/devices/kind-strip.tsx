import { kindCounts, type ListedKind, listedKinds } from '@sonnenwarte/contract/devices/devices';
import { type Route, type RouteName, routes } from '@sonnenwarte/contract/routes';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { read } from '../../client/queries.ts';
import { useFormat } from '../../format/use-format.ts';
import { hasScreen } from '../../screens.ts';
import { useGlobalState } from '../../state/global-state.ts';
import { useRouteLabel } from '../../tabs/route-label.ts';
import { showEdges } from '../list/edge-shadow.ts';
import { ScreenLink, type ScreenTarget, useOpenRoutes } from '../show/screen-link.tsx';
import styles from './kind-strip.module.css';

const REFRESH_MS = 60_000;

export const listOfKind = {
  inverter: 'device-inverter',
  module: 'device-module',
  battery: 'device-battery',
  ems: 'device-ems',
  gateway: 'device-gateway',
  meter: 'meter-list',
} as const satisfies Readonly<Record<ListedKind, RouteName>>;

const levelsOf = new Map<string, Route['levels']>(routes.map(({ name, levels }) => [name, levels]));

interface KindStripProps {
  /** The kind whose list is shown. */
  current: ListedKind;
  /** Where the list of a kind is, unless it has a route of its own. */
  target?: (kind: ListedKind) => ScreenTarget;
  /** The kinds to choose from; all unless said otherwise. */
  among?: readonly ListedKind[];
}

/** Brings what is chosen into the middle of a strip that scrolls. */
function showWhole(place: HTMLElement): void {
  const strip = place.closest('nav');
  if (!strip) return;
  const [{ left, width }, around] = [place.getBoundingClientRect(), strip.getBoundingClientRect()];
  strip.scrollLeft += left + width / 2 - (around.left + around.width / 2);
}

/** The lists of devices side by side, each with the number of devices in scope; only those that the account may open. */
export function KindStrip({ current, target, among = listedKinds }: KindStripProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const label = useRouteLabel();
  const isOpen = useOpenRoutes();
  const access = useGlobalState((state) => state.access);
  const { data } = useQuery({ ...read(kindCounts, {}), refetchInterval: REFRESH_MS });
  const targetOf = target ?? ((kind: ListedKind): ScreenTarget => ({ to: listOfKind[kind] }));
  const mayOpen = ({ to }: ScreenTarget): boolean => {
    const levels = levelsOf.get(to);
    return Array.isArray(levels) && levels.some((level) => level === access) && isOpen(to) && hasScreen(to);
  };
  const shown = among.filter((kind) => mayOpen(targetOf(kind)));
  const chosen = useRef<HTMLLIElement>(null);
  // Numbers that come make the others wider.
  const state = `${current} ${data === undefined}`;
  useEffect(() => {
    if (state !== '' && chosen.current) showWhole(chosen.current);
  }, [state]);
  return (
    <nav ref={showEdges} className={styles.strip} aria-label={t('devices.kinds')}>
      <ul>
        {shown.map((kind) => (
          <li key={kind} ref={kind === current ? chosen : undefined}>
            <ScreenLink {...targetOf(kind)} aria-current={kind === current ? 'page' : undefined}>
              {label(listOfKind[kind])}
              {data && <small>{format.number(data[kind])}</small>}
            </ScreenLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
