import { IconCurrentLocation, IconMapPinFilled, IconMinus, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../blocks/show/button.tsx';
import { useFormat } from '../format/use-format.ts';
import { loadOutlines } from '../map/outlines.ts';
import { fromWorld, type Position, toWorld, type WorldPoint } from './mercator.ts';
import { drawnWorld, middleWithin, pathIn, type View } from './outlines.ts';
import styles from './pin-map.module.css';

const TILE_PX = 256;
const ZOOM = { least: 1, most: 14, far: 1, near: 6, fine: 4 } as const;
/** How far an arrow moves the pin, in pixels of the picture; ten times as far with Shift. */
const STEP_PX = 4;
/** A finger that moved no further has tapped. */
const TAP_PX = 6;
const COORDINATE_DECIMALS = 4;

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const worldView: WorldPoint = toWorld({ latitude: 30, longitude: 10 });

const clampZoom = (zoom: number): number => Math.min(Math.max(zoom, ZOOM.least), ZOOM.most);

interface PinMapProps {
  position: Position | undefined;
  /** Name of the place at the pin. */
  name: string | undefined;
  onPut: (position: Position) => void;
}

/** A map of outlines that needs no internet, with a pin that is dragged, tapped or moved by arrows. */
export function PinMap({ position, name, onPut }: PinMapProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [wanted, setCenter] = useState(position ? toWorld(position) : worldView);
  const [zoom, setZoom] = useState<number>(position ? ZOOM.near : ZOOM.far);
  const detail = zoom >= ZOOM.fine ? 'fine' : 'coarse';
  const outlines = useQuery({
    queryKey: ['map', 'outlines', detail],
    queryFn: async () => drawnWorld(await loadOutlines(detail)),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  const [denied, setDenied] = useState(false);
  const dragged = useRef<{ x: number; y: number; center: WorldPoint; moved: boolean; pin: boolean }>(undefined);
  const [held, setHeld] = useState<WorldPoint>();

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const watch = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);

  const scale = Math.max(TILE_PX * 2 ** zoom, size.width, size.height);
  const center = middleWithin(wanted, scale, size);
  const view: View = { ...center, scale, ...size };
  const { data: world } = outlines;
  const [land, borders] = useMemo(() => {
    if (size.width === 0 || !world) return ['', ''];
    const shown = { ...middleWithin(wanted, scale, size), scale, ...size };
    return [pathIn(world.land, shown), pathIn(world.borders, shown)];
  }, [world, wanted, scale, size]);
  const pin = held ?? (position && toWorld(position));
  const at = pin && pixelOf(pin, view);

  // A pin that was put elsewhere, by its name or its numbers, is brought into view.
  const shown = useRef(position);
  useEffect(() => {
    if (!position || (shown.current?.latitude === position.latitude && shown.current.longitude === position.longitude))
      return;
    const isFirst = shown.current === undefined;
    shown.current = position;
    const { x, y } = pixelOf(toWorld(position), view);
    const isSeen = x > 0 && y > 0 && x < size.width && y < size.height;
    if (isFirst || !isSeen) {
      setCenter(toWorld(position));
      if (zoom < ZOOM.near) setZoom(ZOOM.near);
    }
  });

  const put = (point: WorldPoint) => {
    const next = fromWorld(point);
    shown.current = position ? next : undefined;
    onPut(next);
  };
  const pointAt = (event: PointerEvent): { x: number; y: number } => {
    const { left = 0, top = 0 } = box.current?.getBoundingClientRect() ?? {};
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const onDown = (event: PointerEvent, onPin: boolean) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    dragged.current = { ...pointAt(event), center, moved: false, pin: onPin };
  };
  const onMove = (event: PointerEvent) => {
    const from = dragged.current;
    if (!from) return;
    const { x, y } = pointAt(event);
    if (!from.moved && Math.hypot(x - from.x, y - from.y) < TAP_PX) return;
    from.moved = true;
    if (from.pin) setHeld(worldAt({ x, y }, view));
    else setCenter({ x: from.center.x - (x - from.x) / scale, y: from.center.y - (y - from.y) / scale });
  };
  const onUp = (event: PointerEvent) => {
    const from = dragged.current;
    dragged.current = undefined;
    setHeld(undefined);
    if (from && (from.pin ? from.moved : !from.moved)) put(worldAt(pointAt(event), view));
  };
  const onCancel = () => {
    dragged.current = undefined;
    setHeld(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = arrows[event.key];
    if (!step) return;
    event.preventDefault();
    const far = (event.shiftKey ? STEP_PX * 10 : STEP_PX) / scale;
    const from = pin ?? center;
    put({ x: from.x + step[0] * far, y: from.y + step[1] * far });
  };
  const locate = () =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setDenied(false);
        onPut(fromWorld(toWorld(coords)));
      },
      () => setDenied(true),
    );

  const words = position
    ? `${format.number(position.latitude, COORDINATE_DECIMALS)}°, ${format.number(position.longitude, COORDINATE_DECIMALS)}°`
    : t('site-form.place.noPin');
  return (
    <div className={styles.around}>
      <div
        ref={box}
        className={styles.map}
        onPointerDown={(event) => onDown(event, false)}
        onPointerMove={onMove}
        onPointerUp={onUp}
        onPointerCancel={onCancel}
      >
        <svg className={styles.outlines} width={size.width} height={size.height} aria-hidden="true">
          <path className={styles.land} d={land} />
          <path className={styles.borders} d={borders} />
        </svg>
        <button
          type="button"
          className={styles.pin}
          data-none={at === undefined || undefined}
          aria-label={t('site-form.place.pin', { place: [name, words].filter(Boolean).join(', ') })}
          aria-describedby="site-form-pin-keys"
          ref={(button) => {
            if (button)
              button.style.translate = at ? `${at.x}px ${at.y}px` : `${size.width / 2}px ${size.height / 2}px`;
          }}
          onPointerDown={(event) => onDown(event, true)}
          onKeyDown={onKeyDown}
        >
          <IconMapPinFilled size={32} aria-hidden="true" />
        </button>
        {at && name !== undefined && (
          <span
            className={styles.name}
            aria-hidden="true"
            ref={(label) => {
              if (label)
                label.style.translate = `${Math.min(at.x + 16, size.width - label.clientWidth - 8)}px ${at.y - 34}px`;
            }}
          >
            {name}
          </span>
        )}
        <div className={styles.tools} onPointerDown={(event) => event.stopPropagation()}>
          <IconButton aria-label={t('site-form.place.zoomIn')} onClick={() => setZoom(clampZoom(zoom + 1))}>
            <IconPlus size={18} aria-hidden="true" />
          </IconButton>
          <IconButton aria-label={t('site-form.place.zoomOut')} onClick={() => setZoom(clampZoom(zoom - 1))}>
            <IconMinus size={18} aria-hidden="true" />
          </IconButton>
          {'geolocation' in navigator && (
            <IconButton aria-label={t('site-form.place.here')} onClick={locate}>
              <IconCurrentLocation size={18} aria-hidden="true" />
            </IconButton>
          )}
        </div>
      </div>
      <p id="site-form-pin-keys" className={styles.hint}>
        {t('site-form.place.pinHint')}
      </p>
      <p className="visually-hidden" role="status">
        {position && [name, words].filter(Boolean).join(', ')}
      </p>
      {denied && (
        <p className={styles.denied} role="status">
          {t('site-form.place.denied')}
        </p>
      )}
      {outlines.isError && <p className={styles.hint}>{t('site-form.place.noOutlines')}</p>}
    </div>
  );
}

const pixelOf = ({ x, y }: WorldPoint, view: View): { x: number; y: number } => ({
  x: (x - view.x) * view.scale + view.width / 2,
  y: (y - view.y) * view.scale + view.height / 2,
});

const worldAt = ({ x, y }: { x: number; y: number }, view: View): WorldPoint => ({
  x: view.x + (x - view.width / 2) / view.scale,
  y: view.y + (y - view.height / 2) / view.scale,
});
