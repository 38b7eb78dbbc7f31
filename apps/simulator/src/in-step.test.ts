import { expect, test } from 'vitest';
import { InStep } from './in-step.ts';
import { settled } from './testing/fake-transport.ts';

test('nobody goes on before all others have come as far, or have left', async () => {
  const inStep = new InStep();
  const [first, second, third] = [{}, {}, {}];
  for (const each of [first, second, third]) inStep.join(each);
  const came: string[] = [];
  void inStep.reach(first, 10).then(() => came.push('first'));
  void inStep.reach(second, 20).then(() => came.push('second'));
  await settled();
  expect(came).toEqual([]);
  void inStep.reach(third, 15).then(() => came.push('third'));
  await settled();
  expect(came).toEqual(['first']);
  void inStep.reach(first, 15);
  await settled();
  expect(came).toEqual(['first', 'third']);
  inStep.leave(third);
  inStep.leave(first);
  await settled();
  expect(came).toEqual(['first', 'third', 'second']);
});
