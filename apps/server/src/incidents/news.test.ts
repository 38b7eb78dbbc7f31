import { incidentEndpoints } from '@sonnenwarte/contract/incidents/incidents';
import { liveEndpoints } from '@sonnenwarte/contract/live/live';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

let plants: PlantsFixture;

beforeAll(async () => {
  plants = await PlantsFixture.start();
});

afterAll(() => plants.stop());

test('who looks at incidents is told when an alarm has become one, and when somebody has taken notice of it', async () => {
  const { installerId, token } = await plants.addInstaller();
  const site = await plants.addSite(installerId);
  const logger = await plants.addDatalogger(site.id);
  const device = await plants.addDevice(site.id, logger.id);
  const stream = await plants.open(liveEndpoints.stream, ['incidents'], token);
  const changed = async (): Promise<void> => {
    for (;;) {
      const event = await stream.next();
      if (event === undefined) throw new Error('the stream has ended');
      if (event.type === 'changed' && event.subject === 'incidents') return;
    }
  };
  await changed();
  await plants.db
    .insertInto('alarms')
    .values({
      device_id: device.id,
      logger_id: null,
      site_id: site.id,
      code: 3001,
      level: 3,
      since: new Date(),
      until: null,
    })
    .execute();
  await changed();
  const { incidents } = await plants.read(incidentEndpoints.list, { condition: {} }, token);
  expect(incidents.map(({ code }) => code)).toEqual([3001]);
  await plants.read(incidentEndpoints.acknowledge, { ids: [incidents[0]?.incidentID ?? ''] }, token);
  await changed();
  stream.leave();
});
