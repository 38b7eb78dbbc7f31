import { inject, onTestFinished } from 'vitest';
import { mqttTransport } from '../../apps/simulator/src/edge/mqtt-transport.ts';
import { realSchedule } from '../../apps/simulator/src/edge/pause.ts';
import type { FleetDevice, FleetPlant } from '../../apps/simulator/src/fleet.ts';
import { HistorySender } from '../../apps/simulator/src/history-sender.ts';
import { InStep } from '../../apps/simulator/src/in-step.ts';
import { PlantRunner } from '../../apps/simulator/src/plant-runner.ts';
import { samplePlant } from '../../apps/simulator/src/testing/sample-plant.ts';
import { addDatalogger } from './dataloggers.ts';

/** A plant of the demonstration's fleet under serial numbers of its own, each device's its kind and where it stands. */
function renamed(plant: FleetPlant, loggerSN: string): FleetPlant {
  const [datalogger] = plant.loggers;
  if (datalogger === undefined) throw new Error(`${plant.key} has no datalogger`);
  const named = new Map(
    datalogger.devices.map(({ kind, sn }, at) => [
      sn,
      `${kind.slice(0, 2).toUpperCase()}${loggerSN.slice(-6)}${String(at + 1).padStart(3, '0')}`,
    ]),
  );
  const devices = datalogger.devices.map((device): FleetDevice => {
    const sn = named.get(device.sn) ?? device.sn;
    if (device.kind !== 'battery') return { ...device, sn };
    return { ...device, sn, params: { ...device.params, inverter: named.get(device.params.inverter) ?? '' } };
  });
  return { ...plant, loggers: [{ ...datalogger, sn: loggerSN, devices }], faults: [] };
}

/** The simulator's plant of that key in a new plant of the portal, in operation until the test ends. */
export async function simulatedPlant(key: string, loggerSN: string, name: string): Promise<PlantRunner> {
  const zone = ['--zone', 'Europe/Berlin', '--country', 'DE'];
  const password = await addDatalogger(inject('dataDir'), loggerSN, '--new-site', name, ...zone);
  const runner = new PlantRunner(renamed(samplePlant(key), loggerSN), undefined, {
    open: mqttTransport(inject('mqttUrl'), () => password),
    group: 'solar',
    intervalS: 1,
    historyDays: 0,
    pastDays: 0,
    speed: 1,
    backoffMs: { low: 100, high: 1_000 },
    schedule: realSchedule,
    sender: new HistorySender(realSchedule),
    inStep: new InStep(),
    onNote: () => undefined,
    onProgress: () => undefined,
  });
  onTestFinished(() => runner.stop());
  runner.start(0);
  await runner.isHeard();
  return runner;
}
