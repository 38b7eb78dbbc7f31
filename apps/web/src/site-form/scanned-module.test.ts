import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moduleInCode } from './scanned-module.ts';

const SN = '302311010000231';

test.each([
  [SN, ''],
  ['3023 1101 0000 231', ''],
  [`${SN} k7QmX2pA`, 'k7QmX2pA'],
  [`${SN}\tk7QmX2pA`, 'k7QmX2pA'],
  [`SN:${SN};KEY:k7QmX2pA`, 'k7QmX2pA'],
  [`key=k7QmX2pA, sn=${SN}`, 'k7QmX2pA'],
  [`S/N: ${SN}\r\nKEY: k7QmX2pA\r\n`, 'k7QmX2pA'],
  [`SN:${SN}`, ''],
  [`https://example.com/link?sn=${SN}&key=k7QmX2pA`, 'k7QmX2pA'],
  [`HTTPS://EXAMPLE.COM/?KEY=k7QmX2pA&SN=${SN}`, 'k7QmX2pA'],
])('the code "%s" names the datalogger', (code, key) => {
  expect(moduleInCode(code)).toEqual({ sn: SN, key });
});

test.each([
  '',
  '4006381333931',
  'https://example.com/link',
  `https://example.com/${SN}`,
  'SN:30231101000023;KEY:k7QmX2pA',
  'WIFI:S:house;T:WPA;P:secret;;',
])('the code "%s" names none', (code) => {
  expect(moduleInCode(code)).toBeUndefined();
});

test('whatever a code says, what is taken of it is a whole serial number', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (before, after) => {
      for (const text of [before, `${before}${SN}${after}`, `SN:${before};KEY:${after}`]) {
        const found = moduleInCode(text);
        if (found !== undefined) expect(found.sn).toMatch(/^\d{15}$/);
      }
    }),
  );
});
