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
/** Heights and gaps of the narrow picture. */
const TALL = {
  source: 78,
  pill: 44,
  pillW: 264,
  sink: 86,
  gap: 8,
  turn: 28,
  step: 18,
  drop: 26,
  barInset: 22,
} as const;
/** The same beside something else on the screen. */
const LOW: Record<keyof typeof TALL, number> = {
  ...TALL,
  source: 58,
  pill: 30,
  sink: 62,
  turn: 16,
  step: 10,
  drop: 14,
};

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

/** Boxes and lines for what is there; absent nodes leave no hole. The narrow picture can be made low. */
export function flowLayout(view: Pick<FlowView, 'nodes' | 'hub'>, width: number, isLow = false): FlowLayout {
  const names = new Set(view.nodes.map((node) => node.name));
  const present: Present = (name) => names.has(name);
  return width < TALL_BELOW_PX
    ? tallLayout(present, view.hub, width, isLow ? LOW : TALL)
    : wideLayout(present, view.hub, width);
}

function wideLayout(present: Present, hub: Hub, width: number): FlowLayout {
  const cardW = Math.min(218, width * 0.215);
  const hubW = cardW * 0.86;
  const left = (['pv', 'battery', 'external'] as const).filter(present);
  const right = (['grid', 'load', 'charger'] as const).filter(present);
  const rows = Math.max(left.length, right.length, 1);
  const pitch = rows === 3 ? 112 : 164;
  const height = Math.max(HUB_H, CARD_H + (rows - 1) * pitch) + 8;
  const top = 4 + CARD_H / 2;
  const middle = height / 2;
  const bottom = height - 4 - CARD_H / 2;
  const rowY = (index: number, count: number): number =>
    count === 1 ? middle : count === 2 ? (index === 0 ? top : bottom) : ([top, middle, bottom][index] ?? middle);

  const frames = new Map<NodeName, Frame>();
  const inverterX = hub === 'bus' ? 0.43 : 0.385;
  if (present('inverter')) frames.set('inverter', around(width * inverterX, middle, hubW, HUB_H));
  if (present('gateway'))
    frames.set('gateway', around(width * (present('inverter') ? 0.615 : 0.5), middle, hubW, HUB_H));
  const bar =
    hub === 'bus' ? around(width * (present('inverter') ? 0.63 : 0.5), middle, BAR, height - CARD_H + 24) : null;

  const lines = new Map<EdgeName, Point[]>();
  const inverter = frames.get('inverter');
  const centre = bar ?? frames.get('gateway');
  const onHub = 0.2;

  left.forEach((name, index) => {
    const alone = left.length === 1 && name === 'external' && inverter !== undefined;
    const frame = around(cardW / 2 + EDGE, alone ? bottom : rowY(index, left.length), cardW, CARD_H);
    frames.set(name, frame);
    const target = name === 'external' ? centre : (inverter ?? centre);
    if (!target) return;
    lines.set(name, intoWide(frame, target, target === bar, -(target === inverter ? 0 : onHub)));
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

/** On a phone: sources, the inverter, the AC bus and what stands on it, one row each. */
function tallLayout(present: Present, hub: Hub, width: number, sizes: Record<keyof typeof TALL, number>): FlowLayout {
  const frames = new Map<NodeName, Frame>();
  const lines = new Map<EdgeName, Point[]>();
  const inRow = (names: readonly NodeName[], top: number, height: number): void => {
    const cardW = (width - 2 * EDGE - (names.length - 1) * sizes.gap) / Math.max(1, names.length);
    names.forEach((name, index) => {
      frames.set(name, around(EDGE + cardW / 2 + index * (cardW + sizes.gap), top + height / 2, cardW, height));
    });
  };

  const sources = (['pv', 'battery', 'external'] as const).filter(present);
  let y = EDGE;
  if (sources.length > 0) {
    inRow(sources, y, sizes.source);
    y += sizes.source + sizes.turn;
  }
  const external = frames.get('external');
  // What goes to the bus directly passes at the right of the inverter.
  const pillX = external && sources.length > 1 ? Math.max(sizes.pillW / 2 + EDGE, width * 0.34) : width / 2;
  const alone = external && sources.length === 1 ? sizes.pillW / 2 + EDGE : pillX;
  const pills = (['inverter', 'gateway'] as const).filter(present);
  for (const name of pills) {
    frames.set(name, around(alone, y + sizes.pill / 2, sizes.pillW, sizes.pill));
    y += sizes.pill + sizes.step;
  }
  const inverter = frames.get('inverter');
  const gateway = hub === 'gateway' ? frames.get('gateway') : undefined;
  // A gateway stands on the bus itself.
  if (gateway) y -= sizes.step;
  const bar = around(width / 2, y + BAR / 2, width - 2 * sizes.barInset, BAR);
  y = bar.bottom + sizes.drop;

  const sinks = (['grid', 'load', 'charger'] as const).filter(present);
  inRow(sinks, y, sizes.sink);
  const height = sinks.length > 0 ? y + sizes.sink + EDGE : bar.bottom + EDGE;

  const dc = sources.filter((name) => name !== 'external');
  dc.forEach((name, index) => {
    const frame = frames.get(name);
    if (!frame) return;
    if (!inverter) lines.set(name, down(frame.cx, frame.bottom, bar.y));
    else {
      const shift = dc.length === 1 ? 0 : (index === 0 ? -0.3 : 0.3) * inverter.w;
      lines.set(name, bent(frame, inverter.cx + shift, inverter.y, sizes.turn));
    }
  });
  if (external) {
    const clearX = Math.max(external.cx, inverter ? inverter.right + sizes.gap : 0);
    lines.set(
      'external',
      clearX === external.cx ? down(clearX, external.bottom, bar.y) : bent(external, clearX, bar.y, sizes.turn),
    );
  }
  if (inverter) lines.set('ac', down(inverter.cx, inverter.bottom, gateway ? gateway.y : bar.y));
  for (const name of sinks) {
    const frame = frames.get(name);
    if (frame) lines.set(name, down(frame.cx, bar.bottom, frame.y));
  }
  return { width, height, tall: true, boxes: frames, bar, lines };
}

const down = (x: number, fromY: number, toY: number): Point[] => [
  [x, fromY],
  [x, toY],
];

/** Down, half way to the side, and down again. */
function bent(from: Frame, x: number, toY: number, turnPx: number): Point[] {
  if (Math.abs(from.cx - x) < 1) return down(x, from.bottom, toY);
  const turn = from.bottom + turnPx / 2;
  return [
    [from.cx, from.bottom],
    [from.cx, turn],
    [x, turn],
    [x, toY],
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
