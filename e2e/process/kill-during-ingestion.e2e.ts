import { list as deviceList, historyRaw } from '@sonnenwarte/contract/inverters/inverters';
import type { MqttClient } from 'mqtt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callApi, openSession } from '../support/api.ts';
import { DEMO_PASSWORD } from '../support/demo.ts';
import { connectLogger, demoLogger } from '../support/loggers.ts';
import {
  newDataDir,
  type PortalAddress,
  type PortalRun,
  removeDataDir,
  startPortal,
  waitUntilReady,
} from '../support/portal.ts';
import { killHard, type Part, processOf } from '../support/processes.ts';
import { waitUntil } from '../support/wait-until.ts';
