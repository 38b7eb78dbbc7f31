import { shown } from './quantiles.ts';

export interface ChartLine {
  name: string;
  unit: string;
  points: readonly { plants: number; value: number }[];
}

const WIDTH = 720;
const PANEL = 200;
const LEFT = 90;
const RIGHT = 40;
const TOP = 44;
const BOTTOM = 40;

/** One panel for each line; plants on a logarithmic axis, values from zero. */
export function growthChart(lines: readonly ChartLine[]): string {
  const panels = lines.map((line, index) => panel(line, index * PANEL));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${lines.length * PANEL}" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="Ingest, list and overview by number of plants">
<rect width="100%" height="100%" fill="#ffffff"/>
${panels.join('\n')}
</svg>
`;
}

function panel({ name, unit, points }: ChartLine, topY: number): string {
  const plants = points.map((point) => Math.log10(point.plants));
  const [low, high] = [Math.min(...plants), Math.max(...plants)];
  const most = Math.max(...points.map(({ value }) => value)) * 1.15 || 1;
  const floor = topY + PANEL - BOTTOM;
  const x = (count: number) => LEFT + ((Math.log10(count) - low) / (high - low || 1)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => floor - (value / most) * (PANEL - TOP - BOTTOM);
  const place = points.map(({ plants: count, value }) => ({
    count,
    value,
    x: x(count).toFixed(1),
    y: y(value).toFixed(1),
  }));
  return [
    `<text x="${LEFT}" y="${topY + 22}" font-weight="600" fill="#101828">${name}, ${unit}</text>`,
    `<line x1="${LEFT}" y1="${floor}" x2="${WIDTH - RIGHT}" y2="${floor}" stroke="#98a2b3"/>`,
    `<polyline points="${place.map((at) => `${at.x},${at.y}`).join(' ')}" fill="none" stroke="#0c8c90" stroke-width="2"/>`,
    ...place.map(
      (at) =>
        `<circle cx="${at.x}" cy="${at.y}" r="4" fill="#0c8c90"/><text x="${at.x}" y="${Number(at.y) - 10}" text-anchor="middle" fill="#101828">${shown(at.value)}</text><text x="${at.x}" y="${floor + 20}" text-anchor="middle" fill="#55627a">${at.count} plants</text>`,
    ),
  ].join('\n');
}
