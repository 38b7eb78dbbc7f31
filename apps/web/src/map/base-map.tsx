import { tiles } from '@sonnenwarte/contract/map/countries';
import { IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import * as leaflet from 'leaflet';
import 'leaflet/dist/leaflet.css';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../blocks/show/button.tsx';
import { useThemeVersion } from '../charts/chart-colours.ts';
import { read } from '../client/queries.ts';
import styles from './base-map.module.css';
import { mapColours } from './map-colours.ts';
import { type Detail, loadOutlines } from './outlines.ts';

interface BaseMapProps {
  /** What the map shows, for who does not see it. */
  label: string;
  /** Called with the map once it is there; what it answers is called when the map goes. The same function at each call. */
  onReady: (map: leaflet.Map) => (() => void) | undefined;
  /** A button that shows all again. */
  onFit?: () => void;
  /** Lies over the map. */
  children?: ReactNode;
}

const WORLD: leaflet.LatLngBoundsLiteral = [
  [-80, -180],
  [84, 180],
];
const FINE_FROM_ZOOM = 5;
const TILE_PX = 256;
export const MAX_ZOOM = 18;

/** A map that needs no internet: outlines of countries, and pictures of streets where the operator named a source of them. */
export function BaseMap({ label, onReady, onFit, children }: BaseMapProps): ReactNode {
  const { t } = useTranslation();
  const keys = useId();
  const host = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<leaflet.Map>();
  useEffect(() => {
    if (!host.current) return undefined;
    const made = leaflet.map(host.current, {
      zoomControl: false,
      attributionControl: false,
      preferCanvas: true,
      zoomAnimation: false,
      fadeAnimation: false,
      inertia: !matchMedia('(prefers-reduced-motion: reduce)').matches,
      maxBounds: WORLD,
      maxBoundsViscosity: 1,
      maxZoom: MAX_ZOOM,
      center: [50, 10],
      zoom: 4,
    });
    const observer = new ResizeObserver(() => {
      made.invalidateSize({ animate: false });
      made.setMinZoom(zoomOfWorld(made.getSize().x));
    });
    observer.observe(host.current);
    setMap(made);
    return () => {
      observer.disconnect();
      setMap(undefined);
      made.remove();
    };
  }, []);
  useEffect(() => (map ? onReady(map) : undefined), [map, onReady]);
  useOutlines(map);
  const attribution = useTiles(map);
  return (
    <div className={styles.frame}>
      {/* biome-ignore lint/a11y/useSemanticElements: a map is no set of fields */}
      <div ref={host} className={styles.map} role="group" aria-label={label} aria-describedby={keys} />
      <p id={keys} className="visually-hidden">
        {t('map.keys')}
      </p>
      <div className={styles.buttons}>
        <IconButton aria-label={t('map.zoomIn')} onClick={() => map?.zoomIn()}>
          <IconPlus size={18} aria-hidden="true" />
        </IconButton>
        <IconButton aria-label={t('map.zoomOut')} onClick={() => map?.zoomOut()}>
          <IconMinus size={18} aria-hidden="true" />
        </IconButton>
        {onFit && (
          <IconButton aria-label={t('map.fit')} onClick={onFit}>
            <IconFocusCentered size={18} aria-hidden="true" />
          </IconButton>
        )}
      </div>
      {attribution !== '' && <p className={styles.attribution}>{attribution}</p>}
      {children}
    </div>
  );
}

/** The zoom at which the world is as wide as its frame. */
const zoomOfWorld = (width: number): number => Math.log2(Math.max(width, TILE_PX) / TILE_PX);

/** Draws the outlines below everything else, finer ones where the map is near. */
function useOutlines(map: leaflet.Map | undefined): void {
  const theme = useThemeVersion();
  const [detail, setDetail] = useState<Detail>('coarse');
  useEffect(() => {
    if (!map) return undefined;
    const see = () => setDetail(map.getZoom() >= FINE_FROM_ZOOM ? 'fine' : 'coarse');
    see();
    map.on('zoomend', see);
    return () => void map.off('zoomend', see);
  }, [map]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    if (!map) return undefined;
    let layer: leaflet.Layer | undefined;
    let gone = false;
    loadOutlines(detail).then(
      ({ countries, lines }) => {
        if (gone) return;
        const { land, border } = mapColours(map.getContainer());
        const renderer = leaflet.canvas({ pane: 'tilePane', padding: 0.2 });
        const shared = { interactive: false, renderer };
        layer = leaflet.layerGroup([
          leaflet.geoJSON(countries, { ...shared, style: { stroke: false, fillColor: land, fillOpacity: 1 } }),
          leaflet.geoJSON(lines, { ...shared, style: { color: border, weight: 1 } }),
        ]);
        layer.addTo(map);
      },
      // A map without outlines still shows what lies on it.
      () => undefined,
    );
    return () => {
      gone = true;
      layer?.remove();
    };
  }, [map, detail, theme]);
}

/** Lays pictures of streets over the outlines; answers who made them. */
function useTiles(map: leaflet.Map | undefined): string {
  const { data } = useQuery({ ...read(tiles, {}), staleTime: Number.POSITIVE_INFINITY });
  const url = data?.url;
  useEffect(() => {
    if (!map || url === null || url === undefined) return undefined;
    const layer = leaflet.tileLayer(url, { maxZoom: MAX_ZOOM, zIndex: 2 }).addTo(map);
    return () => void layer.remove();
  }, [map, url]);
  return url ? (data?.attribution ?? '') : '';
}
