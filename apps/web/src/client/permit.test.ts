import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codesOfCall } from '@sonnenwarte/contract/endpoint';
import { allEndpoints } from '@sonnenwarte/contract/endpoints';
import { levels } from '@sonnenwarte/contract/levels';
import { canHold, type PermissionCode, permissions } from '@sonnenwarte/contract/permissions';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plantedFaults } from '../testing/planted-faults.ts';
import { permitOf } from './permit.ts';

const codes = Object.keys(permissions) as PermissionCode[];

test('an endpoint is permitted to the levels that may call it, where they hold one of its codes or none of them binds them', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...allEndpoints),
      fc.constantFrom(...levels),
      fc.subarray(codes),
      (endpoint, level, held) => {
        const binding = codesOfCall(endpoint).filter((code) => canHold(level, code));
        const { callers } = endpoint;
        const isCaller = callers === 'public' || callers.includes(level);
        const may = isCaller && (binding.length === 0 || binding.some((code) => held.includes(code)));
        expect(permitOf(endpoint, level, held)).toBe(may ? endpoint : undefined);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('every way past the question for the code is marked as one that does not compile', () => {
  const source = readFileSync(join(import.meta.dirname, '../testing/planted-faults.ts'), 'utf8');
  const marked = [...source.matchAll(/@ts-expect-error .*\n {2}'([^']+)': /g)].map(([, name]) => name);
  expect(marked).toEqual(Object.keys(plantedFaults));
});
