import { plantArray, siteFormFields } from '@sonnenwarte/contract/site-form/site-form';
import audit from '@sonnenwarte/phrases/json/audit/en' with { type: 'json' };
import sites from '@sonnenwarte/phrases/json/sites/en' with { type: 'json' };
import { expect, test } from 'vitest';

const common = new Set(Object.keys(audit.change));
const own = new Set(Object.keys(sites.field));

test('every field of a plant has a name in the log of what was changed', () => {
  expect(Object.keys(siteFormFields).filter((name) => !own.has(name) && !common.has(name))).toEqual([]);
});

test('so has what stands within one: an array of modules, a price by the time of day, a position', () => {
  const within = [
    ...Object.keys(plantArray._zod.def.shape),
    'weekday',
    'weekend',
    'from',
    'price',
    'latitude',
    'longitude',
  ];
  expect(within.filter((name) => !common.has(name))).toEqual([]);
});
