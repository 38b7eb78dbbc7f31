import { MAX_PLACES, positions } from '@sonnenwarte/contract/sites/site-places';
import { list, statusAll } from '@sonnenwarte/contract/sites/sites';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Map as LeafletMap } from 'leaflet';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { StateChips } from '../blocks/list/state-chips.tsx';
import { useFilters } from '../blocks/list/use-list.ts';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { useThemeVersion } from '../charts/chart-colours.ts';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { BaseMap, MAX_ZOOM } from '../map/base-map.tsx';
import { mapColours } from '../map/map-colours.ts';
import { filtersIn, PlantViews } from '../sites/plant-views.tsx';
import { SiteFilters } from '../sites/site-filters.tsx';
import { useRouteLabel } from '../tabs/route-label.ts';
import { useTab } from '../tabs/tab-context.ts';
import { clustersOf, type Spot } from './clusters.ts';
import { type Bounds, boundsOf, placesOf, within } from './places.ts';
import styles from './plant-map.module.css';
import { MOST_SHOWN, PlantsInView } from './plants-in-view.tsx';
import { SpotLayer } from './spot-layer.ts';

const REFRESH_MS = 60_000;
/** More plants than this are read again less often. */
const MANY = 10_000;
const SLOW_REFRESH_MS = 300_000;
/** One plant alone is not shown nearer than this. */
const NEAREST_FIT_ZOOM = 12;

const viewOf = (map: LeafletMap): Bounds => {
  const bounds = map.getBounds();
  return { south: bounds.getSouth(), west: bounds.getWest(), north: bounds.getNorth(), east: bounds.getEast() };
};

/** All plants in scope where they are, filtered as the list is. */
export function PlantMapScreen(): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const format = useFormat();
  const theme = useThemeVersion();
  const { query } = useTab();
  const plants = useFilters(list);
  const { condition } = plants.value;
  const answer = useQuery({
    ...read(positions, { condition }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => ((state.data?.count ?? 0) > MANY ? SLOW_REFRESH_MS : REFRESH_MS),
  });
  const told = answer.data;
  const places = useMemo(() => told && placesOf(told), [told]);
  const clusters = useMemo(() => places && clustersOf(places), [places]);

  const map = useRef<LeafletMap>(undefined);
  const layer = useRef<SpotLayer>(undefined);
  const [view, setView] = useState<Bounds>();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const newest = useRef({ places, clusters });
  useEffect(() => {
    newest.current = { places, clusters };
  }, [places, clusters]);

  const press = useCallback((spot: Spot) => {
    const { places, clusters } = newest.current;
    if (!places || !clusters) return;
    if (spot.plant !== undefined) {
      setChosen([places.idOf(spot.plant)]);
      layer.current?.mark(spot);
      return;
    }
    const { cluster = 0 } = spot;
    const zoom = clusters.partsAt(cluster);
    if (zoom !== undefined) map.current?.setView([spot.latitude, spot.longitude], Math.min(zoom, MAX_ZOOM));
    else {
      setChosen(clusters.plantsOf(cluster, MOST_SHOWN).map(places.idOf));
      layer.current?.mark(spot);
    }
  }, []);

  const showAll = useCallback(() => {
    const bounds = newest.current.places && boundsOf(newest.current.places);
    if (!bounds) return;
    map.current?.fitBounds(
      [
        [bounds.south, bounds.west],
        [bounds.north, bounds.east],
      ],
      { padding: [36, 36], maxZoom: NEAREST_FIT_ZOOM, animate: false },
    );
  }, []);

  const ready = useCallback(
    (made: LeafletMap) => {
      const spots = new SpotLayer(press);
      map.current = made;
      layer.current = spots;
      spots.addTo(made);
      const see = () => setView(viewOf(made));
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

  const isReady = view !== undefined;
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
  const isCurrent = told !== undefined && !answer.isPlaceholderData;
  useEffect(() => {
    if (!isCurrent || !isReady || fitted.current === asked) return;
    fitted.current = asked;
    setChosen([]);
    layer.current?.mark(undefined);
    showAll();
  }, [asked, isCurrent, isReady, showAll]);

  const seen = useMemo(() => {
    const { total, first } = places && view ? within(places, view, MOST_SHOWN) : { total: 0, first: [] };
    return { total, ids: first.map((plant) => places?.idOf(plant) ?? '') };
  }, [places, view]);

  return (
    <ListScreen
      title={label('plant-map')}
      list={{ ...plants, total: told?.total }}
      actions={<PlantViews />}
      summary={<StateChips list={plants} countedBy={statusAll} refreshMs={REFRESH_MS} />}
      filters={<SiteFilters list={plants} />}
    >
      {answer.error && (
        <ErrorNotice error={answer.error} retry={() => void answer.refetch()} keepsShown={told !== undefined} />
      )}
      {told !== undefined && (
        <div className={styles.notes}>
          {told.unplaced > 0 && (
            <ScreenLink to="plant-view" query={{ ...filtersIn(query), 'condition.placed': 'no' }}>
              {t('plant-map.unplaced', { number: format.number(told.unplaced) })}
            </ScreenLink>
          )}
          {told.count === MAX_PLACES && told.total - told.unplaced > told.count && (
            <p>{t('plant-map.bounded', { number: format.number(told.count) })}</p>
          )}
        </div>
      )}
      <div className={styles.halves}>
        <div className={styles.map}>
          <BaseMap label={t('plant-map.label')} onReady={ready} onFit={showAll} />
        </div>
        <PlantsInView
          total={seen.total}
          ids={seen.ids}
          chosen={chosen}
          isLoading={told === undefined && !answer.error}
          onClose={() => {
            setChosen([]);
            layer.current?.mark(undefined);
          }}
        />
      </div>
    </ListScreen>
  );
}
