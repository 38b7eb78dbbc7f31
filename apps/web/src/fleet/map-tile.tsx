import type { Result } from '@sonnenwarte/contract/endpoint';
import { cells } from '@sonnenwarte/contract/sites/site-places';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { useThemeVersion } from '../charts/chart-colours.ts';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { mapColours } from '../map/map-colours.ts';
import { picturing } from '../map/mercator.ts';
import { loadOutlines, type Outlines } from '../map/outlines.ts';
import styles from './map-tile.module.css';

type Cells = Result<typeof cells>;

const REFRESH_MS = 300_000;
const worstLast = ['normal', 'offline', 'alarm', 'fault'] as const;

/** Where the plants are, and the way to the map. */
export function MapTile(): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const query = useQuery({ ...read(cells, {}), refetchInterval: REFRESH_MS });
  const { data } = query;
  return (
    <Panel title={t('routes.plant-map')} actions={<ScreenLink to="plant-map">{t('fleet.openMap')}</ScreenLink>}>
      <ReadState query={query}>
        <Skeleton height="12rem" />
      </ReadState>
      {data && data.cells.length > 0 && <Picture answer={data} />}
      {data && data.unplaced > 0 && (
        <ScreenLink to="plant-view" query={{ 'condition.placed': 'no' }}>
          {t('fleet.unplaced', { number: format.number(data.unplaced) })}
        </ScreenLink>
      )}
    </Panel>
  );
}

function Picture({ answer }: { answer: Cells }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const theme = useThemeVersion();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [outlines, setOutlines] = useState<Outlines>();
  const [width, setWidth] = useState(0);
  useEffect(() => {
    let gone = false;
    // Without outlines the places are still there.
    loadOutlines('coarse').then(
      (loaded) => !gone && setOutlines(loaded),
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, []);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    if (canvas.current && width > 0) draw(canvas.current, answer.cells, outlines);
  }, [answer, outlines, width, theme]);
  return (
    <ScreenLink to="plant-map" className={styles.link}>
      <canvas
        ref={canvas}
        className={styles.canvas}
        role="img"
        aria-label={t('fleet.mapLabel', { number: format.number(answer.placed) })}
      />
    </ScreenLink>
  );
}

function draw(canvas: HTMLCanvasElement, shown: Cells['cells'], outlines: Outlines | undefined): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = width * devicePixelRatio;
  canvas.height = height * devicePixelRatio;
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  const colours = mapColours(canvas.parentElement ?? canvas);
  const place = picturing(shown, { width, height });
  context.strokeStyle = colours.border;
  context.lineWidth = 1;
  context.beginPath();
  for (const line of outlines?.lines.coordinates ?? []) {
    for (const [index, [longitude = 0, latitude = 0]] of line.entries()) {
      const [x, y] = place({ latitude, longitude });
      if (index === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    }
  }
  context.stroke();
  const most = Math.max(...shown.map(({ count }) => count));
  for (const state of worstLast) {
    context.fillStyle = colours.states[state];
    for (const cell of shown) {
      if (cell.state !== state) continue;
      const [x, y] = place(cell);
      context.beginPath();
      context.arc(x, y, 3 + 6 * Math.sqrt(cell.count / most), 0, 2 * Math.PI);
      context.globalAlpha = 0.85;
      context.fill();
      context.globalAlpha = 1;
      context.strokeStyle = colours.paper;
      context.stroke();
    }
  }
}
