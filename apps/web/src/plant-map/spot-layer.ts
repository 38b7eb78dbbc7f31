import { type PlaceBounds, placedStates } from '@sonnenwarte/contract/sites/site-places';
import { DomUtil, Layer, type LeafletEvent, type Map as LeafletMap, type LeafletMouseEvent } from 'leaflet';
import type { MapColours } from '../map/map-colours.ts';
import type { Spot } from './clusters.ts';
import type { Rank } from './marks.ts';

export interface SpotSource {
  spots(bounds: PlaceBounds, zoom: number): Spot[];
}

interface DrawnSpot {
  readonly spot: Spot;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

export interface SpotLook {
  readonly colours: MapColours;
  readonly font: string;
  /** A number of plants as it is written. */
  readonly number: (count: number) => string;
}

const MARK_PX = 7;
/** Around a mark, for fingers. */
const REACH_PX = 14;
/** Losses are drawn as the states of the same rank are. */
const lookOf = (rank: Rank) => placedStates[rank];

export const radiusOf = (count: number): number => (count === 1 ? MARK_PX : Math.round(13 + 4.5 * Math.log10(count)));

/** Shape and colour of a rank: diamond, triangle, ring, disc. */
function drawMark(context: CanvasRenderingContext2D, rank: Rank, x: number, y: number, size: number, look: SpotLook) {
  const { states, paper } = look.colours;
  const state = lookOf(rank);
  context.beginPath();
  if (state === 'fault') {
    context.moveTo(x, y - size * 1.2);
    context.lineTo(x + size * 1.2, y);
    context.lineTo(x, y + size * 1.2);
    context.lineTo(x - size * 1.2, y);
    context.closePath();
  } else if (state === 'alarm') {
    context.moveTo(x, y - size * 1.15);
    context.lineTo(x + size * 1.15, y + size * 0.85);
    context.lineTo(x - size * 1.15, y + size * 0.85);
    context.closePath();
  } else context.arc(x, y, size * 0.9, 0, 2 * Math.PI);
  context.lineWidth = 4;
  context.strokeStyle = paper;
  context.stroke();
  context.fillStyle = state === 'offline' ? paper : states[state];
  context.fill();
  if (state !== 'offline') return;
  context.lineWidth = 2.5;
  context.strokeStyle = states.offline;
  context.stroke();
}

function drawCluster(context: CanvasRenderingContext2D, { spot, x, y, radius }: DrawnSpot, look: SpotLook) {
  const { colours } = look;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = colours.paper;
  context.fill();
  context.fillStyle = colours.soft[lookOf(spot.worst)];
  context.fill();
  let from = -Math.PI / 2;
  context.lineWidth = 4;
  for (const [rank, count] of spot.counts.entries()) {
    if (count === 0) continue;
    const to = from + (2 * Math.PI * count) / spot.count;
    context.beginPath();
    context.arc(x, y, radius - 2, from, to);
    context.strokeStyle = colours.states[placedStates[rank] ?? 'normal'];
    context.stroke();
    from = to;
  }
  context.fillStyle = colours.ink;
  context.font = look.font;
  context.fillText(look.number(spot.count), x, y + 1);
  if (lookOf(spot.worst) !== 'normal')
    drawMark(context, spot.worst, x + radius * 0.75, y - radius * 0.75, MARK_PX - 2, look);
}

/** Draws spots on one canvas, and finds the one that is pressed. */
export class SpotLayer extends Layer {
  readonly #canvas = document.createElement('canvas');
  readonly #onPress: (spot: Spot) => void;
  #source: SpotSource | undefined;
  #look: SpotLook | undefined;
  #chosen: { latitude: number; longitude: number } | undefined;
  #drawn: DrawnSpot[] = [];
  #frame = 0;
  #map: LeafletMap | undefined;

  constructor(onPress: (spot: Spot) => void) {
    super();
    this.#onPress = onPress;
    this.#canvas.style.pointerEvents = 'none';
    this.#canvas.dataset.spots = '';
  }

  override onAdd(map: LeafletMap): this {
    this.#map = map;
    map.getPanes().overlayPane.append(this.#canvas);
    this.draw();
    return this;
  }

  override onRemove(): this {
    cancelAnimationFrame(this.#frame);
    this.#canvas.remove();
    this.#map = undefined;
    return this;
  }

  override getEvents(): Record<string, (event: LeafletEvent) => void> {
    const later = () => this.later();
    return {
      move: later,
      zoom: later,
      viewreset: later,
      resize: later,
      click: (event) => {
        const found = this.#at(event as LeafletMouseEvent);
        if (found) this.#onPress(found.spot);
      },
      mousemove: (event) => {
        const container = this.#map?.getContainer();
        if (container) container.style.cursor = this.#at(event as LeafletMouseEvent) ? 'pointer' : '';
      },
    };
  }

  show(source: SpotSource | undefined, look: SpotLook): void {
    this.#source = source;
    this.#look = look;
    this.later();
  }

  /** Rings a place. */
  mark(place: { latitude: number; longitude: number } | undefined): void {
    this.#chosen = place;
    this.later();
  }

  later(): void {
    this.#frame ||= requestAnimationFrame(() => this.draw());
  }

  #at({ containerPoint }: LeafletMouseEvent): DrawnSpot | undefined {
    const distance = ({ x, y }: DrawnSpot) => Math.hypot(x - containerPoint.x, y - containerPoint.y);
    return this.#drawn
      .filter((each) => distance(each) <= Math.max(each.radius, REACH_PX))
      .sort((a, b) => distance(a) - distance(b))[0];
  }

  draw(): void {
    this.#frame = 0;
    const map = this.#map;
    const context = this.#canvas.getContext('2d');
    const { x: width = 0, y: height = 0 } = map?.getSize() ?? {};
    if (!map || !context || width === 0 || height === 0) return;
    const scale = devicePixelRatio;
    if (this.#canvas.width !== width * scale || this.#canvas.height !== height * scale) {
      this.#canvas.width = width * scale;
      this.#canvas.height = height * scale;
      this.#canvas.style.width = `${width}px`;
      this.#canvas.style.height = `${height}px`;
    }
    DomUtil.setPosition(this.#canvas, map.containerPointToLayerPoint([0, 0]));
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    this.#drawn = this.#found(map);
    const look = this.#look;
    if (!look) return;
    for (const drawn of this.#drawn) {
      if (drawn.spot.count > 1) drawCluster(context, drawn, look);
      else drawMark(context, drawn.spot.worst, drawn.x, drawn.y, MARK_PX, look);
    }
    if (!this.#chosen) return;
    const { x, y } = map.latLngToContainerPoint([this.#chosen.latitude, this.#chosen.longitude]);
    context.beginPath();
    context.arc(x, y, MARK_PX * 2, 0, 2 * Math.PI);
    context.lineWidth = 2.5;
    context.strokeStyle = look.colours.ink;
    context.stroke();
  }

  /** The worst on top: drawn last. */
  #found(map: LeafletMap): DrawnSpot[] {
    const bounds = map.getBounds().pad(0.1);
    const view = {
      south: Math.max(-90, bounds.getSouth()),
      west: Math.max(-180, bounds.getWest()),
      north: Math.min(90, bounds.getNorth()),
      east: Math.min(180, bounds.getEast()),
    };
    return (this.#source?.spots(view, map.getZoom()) ?? [])
      .sort((a, b) => b.worst - a.worst)
      .map((spot) => {
        const { x, y } = map.latLngToContainerPoint([spot.latitude, spot.longitude]);
        return { spot, x, y, radius: radiusOf(spot.count) };
      });
  }
}
