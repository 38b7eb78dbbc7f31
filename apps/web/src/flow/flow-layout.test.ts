import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flowLayout, roundedPath } from './flow-layout.ts';
import type { FlowNodeView, Hub, NodeName } from './flow-model.ts';

const nodeOf = (name: NodeName): FlowNodeView => ({
  name,
  powerW: 1000,
  activity: 'idle',
  idle: false,
  online: true,
  derived: false,
  deviceID: null,
  sn: null,
  socPercent: null,
  capacityWh: null,
  workMode: null,
  count: 1,
});

const plants = fc
  .record({
    pv: fc.boolean(),
    battery: fc.boolean(),
    external: fc.boolean(),
    gateway: fc.boolean(),
    grid: fc.boolean(),
    load: fc.boolean(),
    charger: fc.boolean(),
    width: fc.integer({ min: 320, max: 1400 }),
  })
  .map(({ width, ...has }) => {
    const names: NodeName[] = ['inverter'];
    for (const name of ['pv', 'battery', 'external', 'gateway', 'grid', 'load', 'charger'] as const) {
      if (has[name]) names.push(name);
    }
    const hub: Hub = has.gateway ? 'gateway' : 'bus';
    return { view: { nodes: names.map(nodeOf), hub }, names, width };
  });

describe('the layout of the flow', () => {
  test('gives every node a box inside the picture, and no two overlap', () => {
    fc.assert(
      fc.property(plants, ({ view, names, width }) => {
        const layout = flowLayout(view, width);
        expect([...layout.boxes.keys()].sort()).toEqual([...names].sort());
        const boxes = [...layout.boxes.values()];
        for (const box of boxes) {
          expect(box.x).toBeGreaterThanOrEqual(0);
          expect(box.y).toBeGreaterThanOrEqual(0);
          expect(box.x + box.w).toBeLessThanOrEqual(width);
          expect(box.y + box.h).toBeLessThanOrEqual(layout.height);
        }
        boxes.forEach((a, index) => {
          for (const b of boxes.slice(index + 1)) {
            const apart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
            expect(apart).toBe(true);
          }
        });
      }),
    );
  });

  test('joins every node but the hub with a line of level and upright parts', () => {
    fc.assert(
      fc.property(plants, ({ view, names, width }) => {
        const { lines } = flowLayout(view, width);
        const expected = names.filter((name) => name !== 'inverter' && name !== 'gateway').map(String);
        expected.push('ac');
        expect([...lines.keys()].sort()).toEqual(expected.sort());
        for (const points of lines.values()) {
          points.slice(1).forEach((point, index) => {
            const before = points[index];
            expect(
              before !== undefined && (Math.abs(before[0] - point[0]) < 1 || Math.abs(before[1] - point[1]) < 1),
            ).toBe(true);
          });
        }
      }),
    );
  });

  test('is whole on the first screen of a phone, and no line crosses a box that is not its own', () => {
    fc.assert(
      fc.property(plants, fc.integer({ min: 320, max: 430 }), ({ view }, width) => {
        const { boxes, lines, height, bar } = flowLayout(view, width);
        expect(height).toBeLessThanOrEqual(360);
        expect(bar).not.toBeNull();
        for (const [edge, points] of lines) {
          const ends = edge === 'pv' || edge === 'battery' || edge === 'ac' ? ['inverter', 'gateway'] : [];
          for (const [name, box] of boxes) {
            if (name === edge || ends.includes(name)) continue;
            points.slice(1).forEach(([x, y], index) => {
              const [fromX, fromY] = points[index] ?? [x, y];
              const beside = Math.max(x, fromX) <= box.x + 1 || Math.min(x, fromX) >= box.x + box.w - 1;
              const apart = Math.max(y, fromY) <= box.y + 1 || Math.min(y, fromY) >= box.y + box.h - 1;
              expect(beside || apart).toBe(true);
            });
          }
        }
      }),
    );
  });

  test('leaves more than half of a phone to what it is looked at with, where it is low', () => {
    fc.assert(
      fc.property(plants, fc.integer({ min: 320, max: 430 }), ({ view }, width) => {
        expect(flowLayout(view, width, true).height).toBeLessThanOrEqual(250);
      }),
    );
  });

  test('closes up when nodes are missing', () => {
    const height = (names: NodeName[]) => flowLayout({ nodes: names.map(nodeOf), hub: 'bus' }, 1000).height;
    expect(height(['inverter', 'pv', 'grid', 'load'])).toBeLessThan(
      height(['inverter', 'pv', 'grid', 'load', 'charger']),
    );
  });
});

test('a rounded path starts and ends where its points do', () => {
  expect(
    roundedPath([
      [0, 0],
      [100, 0],
      [100, 60],
    ]),
  ).toBe('M0 0L78 0Q100 0 100 22L100 60');
});
