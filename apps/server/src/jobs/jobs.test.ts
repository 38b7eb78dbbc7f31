import { once } from 'node:events';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { addJob, Jobs, startJobs } from './jobs.ts';

let plants: PlantsFixture;

beforeAll(async () => {
  plants = await PlantsFixture.start();
});
afterAll(() => plants?.stop());

test('a job that would go on for long hears that the server ends, and the end waits until it has ended', async () => {
  const jobs = new Jobs();
  const steps: string[] = [];
  const begun = new Promise<void>((resolve) => {
    jobs.on('long', async (_, ending) => {
      resolve();
      await once(ending, 'abort');
      await addJob(plants.db, 'next');
      steps.push('job');
    });
  });
  const running = await startJobs(jobs, plants.stores.databaseConnection, pino({ level: 'silent' }));
  await addJob(plants.db, 'long');
  await begun;
  await running.stop();
  steps.push('queue');
  expect(steps).toEqual(['job', 'queue']);
});
