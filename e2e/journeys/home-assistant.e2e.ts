import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { TestHomeAssistant } from '../../apps/server/src/testing/home-assistant.ts';
import { axeViolations } from '../support/axe.ts';
import { openPage } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';
import { waitUntil } from '../support/wait-until.ts';

const text = (key: string, values?: Record<string, string | number>) => textOf(key, 'en', values);
const section = (page: Page, name: string) => page.getByRole('region', { name: text(`user-center.section.${name}`) });

test('what the user centre shows is all that a Home Assistant needs, and without the access it is cut off', async () => {
  const { page } = await openPage({ user: 'owner', language: 'en' });
  await visit(page, '/user/center');
  const keys = section(page, 'apiKeys');
  await keys.getByRole('button', { name: text('api-keys.action.create') }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel(text('api-keys.field.name')).fill('Home');
  await drawer.getByRole('button', { name: text('api-keys.action.create') }).click();
  const shown = page.getByRole('dialog', { name: text('api-keys.shown') });
  const password = await shown.getByRole('textbox').inputValue();
  await shown.getByRole('button', { name: text('api-keys.close') }).click();

  const mqtt = section(page, 'mqtt');
  await mqtt.getByRole('switch', { name: text('user-center.mqtt.switch') }).click();
  await mqtt.getByRole('heading', { name: text('user-center.mqtt.homeAssistant.title') }).waitFor();
  expect(await axeViolations(page, 'home-assistant')).toEqual([]);
  await takeScreenshot(page, 'home-assistant');
  const field = (key: string) => mqtt.getByLabel(text(key), { exact: true }).inputValue();
  const home = await TestHomeAssistant.connect(Number(await field('user-center.mqtt.port')), {
    clientId: await field('user-center.mqtt.clientId'),
    username: await field('user-center.field.user'),
    password,
  });
  expect(new URL(inject('mqttUrl')).port).toBe(await field('user-center.mqtt.port'));
  await home.start();
  await waitUntil('an inverter with its power', async () =>
    [...home.devices].some(
      ([sn, { components }]) =>
        components.ac_active_power !== undefined && Number.isFinite(Number(home.stateOf(sn, 'ac_active_power'))),
    ),
  );

  const closed = new Promise<void>((resolve) => home.client.once('close', () => resolve()));
  await mqtt.getByRole('switch', { name: text('user-center.mqtt.switch') }).click();
  await closed;
});
