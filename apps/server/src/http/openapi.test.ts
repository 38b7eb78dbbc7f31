import { list } from '@sonnenwarte/contract/sites/sites';
import { expect, test } from 'vitest';
import { openApi } from './openapi.ts';

test('the description of a list says the unit of each quantity of its rows, as it is told there', () => {
  const text = JSON.stringify(openApi([list]));
  const units = [...text.matchAll(/"(\w+)":\{[^{}]*(?:\[[^\]]*\])?[^{}]*"x-unit":"([^"]+)"\}/g)].map(
    ([, name, unit]) => [name, unit],
  );
  expect(Object.fromEntries(units)).toEqual({
    systemCapacity: 'kWp',
    pvPowerW: 'W',
    socPercent: '%',
    todayWh: 'Wh',
    monthWh: 'Wh',
    totalWh: 'Wh',
    specificYieldToday: 'kWh/kWp',
    peersYieldToday: 'kWh/kWp',
    weekLossWh: 'Wh',
  });
});
