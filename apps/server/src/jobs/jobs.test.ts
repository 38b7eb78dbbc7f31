import { once } from 'node:events';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { addJob, Jobs, startJobs, turnOf } from './jobs.ts';

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

test('what is sent to addresses of users and answers late holds up neither mails nor other accounts’ deliveries', async () => {
  const jobs = new Jobs();
  const done: string[] = [];
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const note = (what: string): void => {
    done.push(what);
    if (done.length === 3) finish();
  };
  jobs.on('mail', async () => note('mail'));
  jobs.on('report', async () => note('report'), 'making');
  jobs.on(
    'deliver',
    async (payload) => {
      const { to } = payload as { to: string };
      if (to === 'slow') await answered;
      else note(to);
    },
    'outgoing',
  );
  // More of one account than there are places.
  for (let count = 0; count < 6; count += 1) await addJob(plants.db, 'deliver', { to: 'slow' }, turnOf('one'));
  await addJob(plants.db, 'deliver', { to: 'quick' }, turnOf('two'));
  await addJob(plants.db, 'mail');
  await addJob(plants.db, 'report');
  const running = await startJobs(jobs, plants.stores.databaseConnection, pino({ level: 'silent' }));
  await finished;
  expect(done.toSorted()).toEqual(['mail', 'quick', 'report']);
  answer();
  await running.stop();
});
