import { readFileSync } from 'node:fs';
import { TestEdge } from './edge.ts';
const sns: string[] = JSON.parse(readFileSync('/tmp/ingest/sns.json', 'utf8'));
const DAYS = 30; const end = Math.floor(Date.now() / 300000) * 300000;
await Promise.all(sns.map(async (sn, n) => {
  const edge = await TestEdge.connect(18100, sn);
  await edge.birth();
  const devices = [0, 1, 2].concat(n < 4 ? [3] : []).map((d) => [`H${sn}-${d}`, ['inverter', 'battery', 'meter', 'inverter'][d]!] as const);
  for (const [d, kind] of devices) { await edge.deviceBirth(d, kind); }
  for (const [d, kind] of devices) await edge.data(d, kind === 'inverter' ? { 'AC/ActivePower': 1, 'Energy/PvTotal': 9000 } : {'Bat/Soc': 50, 'Meter/ActivePower': 5});
  for (let ts = end - DAYS * 86400000; ts < end; ) {
    for (const [d, kind] of devices) {
      const metrics: any[] = [];
      for (let k = 0; k < 24; k += 1) { const t = ts + k * 300000; const kwh = 1000 + (t - (end - DAYS * 86400000)) / 3600000;
        const v: Record<string, number> = kind === 'inverter' ? { 'AC/ActivePower': 1000, 'DC/Power': 1010, 'Energy/PvTotal': kwh, 'Energy/AcOutTotal': kwh, 'Load/Power': 500, 'AC/L1/Voltage': 230, 'Temp/Heatsink': 40 } : kind === 'battery' ? { 'Bat/Power': 100, 'Bat/Soc': 50, 'Bat/ChargeTotal': kwh / 3, 'Bat/DischargeTotal': kwh / 4 } : { 'Meter/ActivePower': -400, 'Meter/ImportTotal': kwh / 5, 'Meter/ExportTotal': kwh / 2 };
        for (const [name, value] of Object.entries(v)) metrics.push({ name, datatype: 10, value, isHistorical: true, timestampMs: t });
      }
      await edge.send('DDATA', d, metrics, { qos: 0 });
    }
    ts += 24 * 300000;
  }
  await edge.data(devices[0]![0], { 'AC/ActivePower': 2 });
  await edge.end();
}));
console.log('sent');
