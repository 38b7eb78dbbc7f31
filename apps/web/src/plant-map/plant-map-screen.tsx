import type { PlaceBounds } from '@sonnenwarte/contract/sites/site-places';
import { list, statusAll } from '@sonnenwarte/contract/sites/sites';
import type { LatLngBoundsLiteral, Map as LeafletMap } from 'leaflet';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { StateChips } from '../blocks/list/state-chips.tsx';
import { useFilters } from '../blocks/list/use-list.ts';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { useThemeVersion } from '../charts/chart-colours.ts';
import { useFormat } from '../format/use-format.ts';
import { BaseMap, MAX_ZOOM } from '../map/base-map.tsx';
import { mapColours } from '../map/map-colours.ts';
import { filtersIn, PlantViews } from '../sites/plant-views.tsx';
import { SiteFilters } from '../sites/site-filters.tsx';
import { useRouteLabel } from '../tabs/route-label.ts';
import { useTabQuery } from '../tabs/tab-context.ts';
import { clustersOf, type Spot } from './clusters.ts';
import styles from './plant-map.module.css';
import { PlantsInView } from './plants-in-view.tsx';
import { RankingChoice } from './ranking-choice.tsx';
import { SpotLayer } from './spot-layer.ts';
import { MOST_NAMED, type SeenPart, usePlaces } from './use-places.ts';

const COUNTS_REFRESH_MS = 60_000;
/** One plant alone is not shown nearer than this. */
const NEAREST_FIT_ZOOM = 12;

const onMap = ({ south, west, north, east }: PlaceBounds): LatLngBoundsLiteral => [
  [south, west],
  [north, east],
];

function seenOf(map: LeafletMap): SeenPart {
  const bounds = map.getBounds();
  return {
    bounds: {
      south: Math.max(-90, bounds.getSouth()),
      west: Math.max(-180, bounds.getWest()),
      north: Math.min(90, bounds.getNorth()),
      east: Math.min(180, bounds.getEast()),
    },
    zoom: Math.round(map.getZoom()),
  };
}

/** The zoom at which bounds fall apart as far as they do, nearer than now; none where they are one place, or the map is nearest. */
function zoomInto(map: LeafletMap, bounds: PlaceBounds): number | undefined {
  const now = map.getZoom();
  if (now >= MAX_ZOOM || (bounds.south === bounds.north && bounds.west === bounds.east)) return undefined;
  return Math.min(MAX_ZOOM, Math.max(Math.floor(now) + 1, map.getBoundsZoom(onMap(bounds))));
}

/** The plants in scope where they are, filtered as the list is. */
export function PlantMapScreen(): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const format = useFormat();
  const theme = useThemeVersion();
  const [query, setQuery] = useTabQuery();
  const by = query.colour === 'loss' ? 'loss' : 'state';
  const plants = useFilters(list);
  const { condition } = plants.value;
  const [seen, setSeen] = useState<SeenPart>();
  const places = usePlaces({ condition, by, seen });
  const { told, marks, inView, plantsOf, isCurrent } = places;
  const clusters = useMemo(() => marks && clustersOf(marks, by), [marks, by]);

  const map = useRef<LeafletMap>(undefined);
  const layer = useRef<SpotLayer>(undefined);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const newest = useRef({ marks, clusters, plantsOf, bounds: told?.bounds });
  useEffect(() => {
    newest.current = { marks, clusters, plantsOf, bounds: told?.bounds };
  }, [marks, clusters, plantsOf, told]);
  const pressed = useRef<Spot>(undefined);

  const choose = useCallback((spot: Spot | undefined) => {
    pressed.current = spot;
    layer.current?.mark(spot);
    if (spot === undefined) setChosen([]);
  }, []);

  const press = useCallback(
    (spot: Spot) => {
      const { marks, clusters, plantsOf } = newest.current;
      if (!marks || !clusters || !map.current) return;
      const { mark, cluster = 0, count, latitude, longitude } = spot;
      const zoom =
        mark === undefined
          ? clusters.partsAt(cluster)
          : count > 1
            ? zoomInto(map.current, marks.boundsOf(mark))
            : undefined;
      if (zoom !== undefined) {
        map.current.setView([latitude, longitude], Math.min(zoom, MAX_ZOOM));
        return;
      }
      choose(spot);
      const held = mark === undefined ? clusters.marksOf(cluster, MOST_NAMED) : [mark];
      plantsOf(held, Math.round(map.current.getZoom())).then(
        (ids) => pressed.current === spot && setChosen(ids),
        () => pressed.current === spot && choose(undefined),
      );
    },
    [choose],
  );

  const showAll = useCallback(() => {
    const { bounds } = newest.current;
    if (bounds) map.current?.fitBounds(onMap(bounds), { padding: [36, 36], maxZoom: NEAREST_FIT_ZOOM, animate: false });
  }, []);

  const ready = useCallback(
    (made: LeafletMap) => {
      const spots = new SpotLayer(press);
      map.current = made;
      layer.current = spots;
      spots.addTo(made);
      const see = () => setSeen(seenOf(made));
      made.on('moveend resize', see);
      see();
      return () => {
        made.off('moveend resize', see);
        map.current = undefined;
        layer.current = undefined;
      };
    },
    [press],
  );

  const isReady = seen !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    const container = map.current?.getContainer();
    if (!container || !isReady) return;
    const { fontFamily } = getComputedStyle(container);
    const short = new Intl.NumberFormat(format.locale, { notation: 'compact', maximumFractionDigits: 1 });
    const number = (count: number) => (count < 1_000 ? String(count) : short.format(count));
    layer.current?.show(clusters, { colours: mapColours(container), font: `600 13px ${fontFamily}`, number });
  }, [clusters, theme, isReady, format.locale]);

  const asked = JSON.stringify(condition);
  const fitted = useRef('');
  useEffect(() => {
    if (!isCurrent || !isReady || fitted.current === asked) return;
    fitted.current = asked;
    choose(undefined);
    showAll();
  }, [asked, isCurrent, isReady, choose, showAll]);

  const colour = (chosen: typeof by) => {
    const { colour: _, ...others } = query;
    setQuery(chosen === 'loss' ? { ...others, colour: chosen } : others);
  };

  return (
    <ListScreen
      title={label('plant-map')}
      list={{ ...plants, total: told?.total }}
      actions={<PlantViews />}
      summary={<StateChips list={plants} countedBy={statusAll} refreshMs={COUNTS_REFRESH_MS} />}
      filters={<SiteFilters list={plants} />}
    >
      {places.error && (
        <ErrorNotice error={places.error} retry={() => void places.refetch()} keepsShown={marks !== undefined} />
      )}
      <div className={styles.notes}>
        <RankingChoice by={by} onChange={colour} />
        {told !== undefined && told.unplaced > 0 && (
          <ScreenLink to="plant-view" query={{ ...filtersIn(query), 'condition.placed': 'no' }}>
            {t('plant-map.unplaced', { number: format.number(told.unplaced) })}
          </ScreenLink>
        )}
      </div>
      <div className={styles.halves}>
        <div className={styles.map}>
          <BaseMap label={t('plant-map.label')} onReady={ready} onFit={showAll} />
        </div>
        <PlantsInView
          total={inView.total}
          ids={inView.ids}
          chosen={chosen}
          isLoading={places.isLoading}
          onClose={() => choose(undefined)}
        />
      </div>
    </ListScreen>
  );
}
