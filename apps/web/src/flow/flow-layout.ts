import type { EdgeName, FlowView, Hub, NodeName } from './flow-model.ts';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export type Point = readonly [number, number];

export interface FlowLayout {
  readonly width: number;
  readonly height: number;
  readonly tall: boolean;
  readonly boxes: ReadonlyMap<NodeName, Box>;
  readonly bar: Box | null;
  /** Points of each line, from source to hub and from hub to consumer. */
  readonly lines: ReadonlyMap<EdgeName, readonly Point[]>;
}

/** Below this width nodes stand in two columns. */
export const TALL_BELOW_PX = 720;

const CARD_H = 92;
const HUB_H = 124;
const BAR = 10;
const EDGE = 2;

interface Frame extends Box {
  readonly cx: number;
  readonly cy: number;
  readonly right: number;
  readonly bottom: number;
}

const around = (cx: number, cy: number, w: number, h: number): Frame => ({
  x: cx - w / 2,
  y: cy - h / 2,
  w,
  h,
  cx,
  cy,
  right: cx + w / 2,
  bottom: cy + h / 2,
});

type Present = (name: NodeName) => boolean;

/** Boxes and lines for what is there; absent nodes leave no hole. */
export function flowLayout(view: Pick<FlowView, 'nodes' | 'hub'>, width: number): FlowLayout {
  const names = new Set(view.nodes.map((node) => node.name));
  const present: Present = (name) => names.has(name);
  return width < TALL_BELOW_PX ? tallLayout(present, view.hub, width) : wideLayout(present, view.hub, width);
}

function wideLayout(present: Present, hub: Hub, width: number): FlowLayout {
  const cardW = Math.min(218, width * 0.215);
  const hubW = cardW * 0.86;
  const left = (['pv', 'battery', 'external'] as const).filter(present);
  const right = (['grid', 'load', 'charger'] as const).filter(present);
  const rows = Math.max(left.length, right.length, 1);
  const pitch = rows === 3 ? 158 : 164;
  const height = Math.max(HUB_H, CARD_H + (rows - 1) * pitch) + 8;
  const top = 4 + CARD_H / 2;
  const middle = height / 2;
  const bottom = height - 4 - CARD_H / 2;
  const rowY = (index: number, count: number): number =>
    count === 1 ? middle : count === 2 ? (index === 0 ? top : bottom) : ([top, middle, bottom][index] ?? middle);

  const frames = new Map<NodeName, Frame>();
  const inverterX = hub === 'inverter' ? 0.5 : hub === 'bus' ? 0.43 : 0.385;
  if (present('inverter')) frames.set('inverter', around(width * inverterX, middle, hubW, HUB_H));
  if (present('gateway'))
    frames.set('gateway', around(width * (present('inverter') ? 0.615 : 0.5), middle, hubW, HUB_H));
  const bar =
    hub === 'bus' ? around(width * (present('inverter') ? 0.63 : 0.5), middle, BAR, height - CARD_H + 24) : null;

  const lines = new Map<EdgeName, Point[]>();
  const inverter = frames.get('inverter');
  const centre = bar ?? frames.get(hub === 'gateway' ? 'gateway' : 'inverter');
  const onHub = hub === 'inverter' ? 0.24 : 0.2;

  left.forEach((name, index) => {
    const alone = left.length === 1 && name === 'external' && inverter !== undefined;
    const frame = around(cardW / 2 + EDGE, alone ? bottom : rowY(index, left.length), cardW, CARD_H);
    frames.set(name, frame);
    const target = name === 'external' ? centre : (inverter ?? centre);
    if (!target) return;
    lines.set(name, intoWide(frame, target, target === bar, -(target === inverter && hub !== 'inverter' ? 0 : onHub)));
  });
  if (inverter && centre && centre !== inverter)
    lines.set('ac', [
      [inverter.right, middle],
      [centre.x, middle],
    ]);
  right.forEach((name, index) => {
    const frame = around(width - cardW / 2 - EDGE, rowY(index, right.length), cardW, CARD_H);
    frames.set(name, frame);
    if (!centre) return;
    const shift = hub === 'bus' ? 0 : hub === 'gateway' && !present('external') ? 0 : onHub;
    lines.set(name, outOfWide(centre, frame, centre === bar, shift));
  });
  return { width, height, tall: false, boxes: frames, bar, lines };
}

function intoWide(from: Frame, to: Frame, straight: boolean, shift: number): Point[] {
  if (straight || Math.abs(from.cy - to.cy) < 1)
    return [
      [from.right, from.cy],
      [to.x, from.cy],
    ];
  const x = to.cx + shift * to.w;
  return [
    [from.right, from.cy],
    [x, from.cy],
    [x, from.cy < to.cy ? to.y : to.bottom],
  ];
}

function outOfWide(from: Frame, to: Frame, straight: boolean, shift: number): Point[] {
  if (straight || Math.abs(from.cy - to.cy) < 1)
    return [
      [from.right, to.cy],
      [to.x, to.cy],
    ];
  const x = from.cx + shift * from.w;
  return [
    [x, to.cy < from.cy ? from.y : from.bottom],
    [x, to.cy],
    [to.x, to.cy],
  ];
}

function tallLayout(present: Present, hub: Hub, width: number): FlowLayout {
  const cardW = Math.min(230, (width - 34) / 2);
  const leftX = cardW / 2 + 1;
  const rightX = width - cardW / 2 - 1;
  const pitch = 140;
  const frames = new Map<NodeName, Frame>();
  const lines = new Map<EdgeName, Point[]>();
  let y = CARD_H / 2 + 2;
  const row = (left: NodeName | null, right: NodeName | null): void => {
    const l = left && present(left) ? left : null;
    const r = right && present(right) ? right : null;
    if (l) frames.set(l, around(leftX, y, cardW, CARD_H));
    if (r) frames.set(r, around(rightX, y, cardW, CARD_H));
    if (l || r) y += pitch;
  };
  const lineFrom = (edge: EdgeName, name: NodeName, to: Frame): void => {
    const frame = frames.get(name);
    if (frame) lines.set(edge, intoTall(frame, to));
  };

  const beside = hub === 'gateway' && !present('external') && present('pv');
  if (beside) row('pv', null);
  else row(present('pv') ? 'pv' : 'battery', present('pv') ? 'battery' : null);
  if (hub === 'bus') row(present('inverter') ? 'inverter' : 'external', present('inverter') ? 'external' : null);
  else row('inverter', hub === 'inverter' ? 'grid' : beside ? 'battery' : 'external');

  let bar: Frame | null = null;
  if (hub === 'bus') {
    bar = around(width / 2, y - pitch + CARD_H / 2 + 26, width - cardW + 30, BAR);
    y = bar.bottom + 26 + CARD_H / 2;
    const sinks = (['grid', 'load', 'charger'] as const).filter(present);
    row(sinks[0] ?? null, sinks[1] ?? null);
    row(sinks[2] ?? null, null);
  } else {
    if (hub === 'gateway') row('gateway', 'grid');
    row(present('load') ? 'load' : 'charger', present('load') ? 'charger' : null);
  }

  const inverter = frames.get('inverter');
  const centre = bar ?? frames.get(hub === 'gateway' ? 'gateway' : 'inverter');
  if (centre) {
    const dc = inverter ?? centre;
    lineFrom('pv', 'pv', dc);
    lineFrom('battery', 'battery', dc);
    lineFrom('external', 'external', centre);
    if (inverter && inverter !== centre) lineFrom('ac', 'inverter', centre);
    for (const name of ['grid', 'load', 'charger'] as const) {
      const frame = frames.get(name);
      if (frame) lines.set(name, intoTall(frame, centre).reverse());
    }
  }
  return { width, height: y - pitch + CARD_H / 2 + 4, tall: true, boxes: frames, bar, lines };
}

/** From a card to the hub or the bus bar: straight where they face each other, else round one corner or two. */
function intoTall(from: Frame, to: Frame): Point[] {
  if (to.h === BAR) {
    const below = from.cy > to.cy;
    const gap = below ? from.y - to.bottom : to.y - from.bottom;
    if (gap < CARD_H)
      return [
        [from.cx, below ? from.y : from.bottom],
        [from.cx, below ? to.bottom : to.y],
      ];
    return [
      [from.cx < to.cx ? from.right : from.x, from.cy],
      [to.cx, from.cy],
      [to.cx, below ? to.bottom : to.y],
    ];
  }
  if (Math.abs(from.cy - to.cy) < 1)
    return from.cx > to.cx
      ? [
          [from.x, from.cy],
          [to.right, to.cy],
        ]
      : [
          [from.right, from.cy],
          [to.x, to.cy],
        ];
  const below = from.cy > to.cy;
  const start = below ? from.y : from.bottom;
  const end = below ? to.bottom : to.y;
  if (Math.abs(from.cx - to.cx) < 1)
    return [
      [from.cx, start],
      [to.cx, end],
    ];
  const turn = (start + end) / 2;
  const x = to.cx + to.w * 0.3;
  return [
    [from.cx, start],
    [from.cx, turn],
    [x, turn],
    [x, end],
  ];
}

/** An SVG path through the points with rounded corners. */
export function roundedPath(points: readonly Point[], radius = 22): string {
  const round = (value: number): number => Math.round(value * 10) / 10;
  return points
    .map((point, index) => {
      const before = points[index - 1];
      const after = points[index + 1];
      const [x, y] = point;
      if (!before) return `M${round(x)} ${round(y)}`;
      if (!after) return `L${round(x)} ${round(y)}`;
      const inLength = Math.hypot(x - before[0], y - before[1]);
      const outLength = Math.hypot(after[0] - x, after[1] - y);
      const r = Math.min(radius, inLength / 2, outLength / 2);
      if (r === 0) return `L${round(x)} ${round(y)}`;
      const enterX = x - ((x - before[0]) / inLength) * r;
      const enterY = y - ((y - before[1]) / inLength) * r;
      const leaveX = x + ((after[0] - x) / outLength) * r;
      const leaveY = y + ((after[1] - y) / outLength) * r;
      return `L${round(enterX)} ${round(enterY)}Q${round(x)} ${round(y)} ${round(leaveX)} ${round(leaveY)}`;
    })
    .join('');
}
