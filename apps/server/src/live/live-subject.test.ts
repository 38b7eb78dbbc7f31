import { expect, test } from 'vitest';
import type { LiveStream } from './live-stream.ts';
import { Subjects } from './live-subject.ts';

test('a device that records under another key is found by that one, for all who look at it', () => {
  const subjects = new Subjects();
  const before = { kind: 'device', id: 'a', key: 1 } as const;
  const { subject } = subjects.watch({} as LiveStream, 'device:a', before);
  subjects.follow(subject, { ...before, key: 7 });
  const touched = (key: number) => [...subjects.touchedBy({ sites: [], devices: [key] })];
  expect(touched(7)).toEqual([subject]);
  expect(touched(1)).toEqual([]);
});
