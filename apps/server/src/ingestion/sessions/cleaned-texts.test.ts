import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import { expect, test } from 'vitest';
import { readAck } from './command-hooks.ts';
import { readDeviceProperties } from './properties.ts';

test('texts of devices turn no text around them and hide no signs in it', () => {
  const told = 'SW-H10T\u202e\u2066TXT\u0085\u200f';
  const { result } = readAck({ id: '01J00000000000000000000000', code: 6, message: told, values: [] } as never);
  const properties = readDeviceProperties([{ name: 'Properties/Model', datatype: DataType.String, value: told }]);
  expect(result?.message.replaceAll(' ', '')).toBe('SW-H10TTXT');
  expect(properties.model).toBe('SW-H10TTXT');
});
