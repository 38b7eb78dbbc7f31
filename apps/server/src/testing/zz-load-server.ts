import { startTestStores, startTestIngestion, makePlant } from './ingestion.ts';
import { writeFileSync } from 'node:fs';
const stores = await startTestStores();
const ingestion = await startTestIngestion(stores, { mqttPort: 18100 });
const n = Number(process.argv[2] ?? 50);
const sns: string[] = [];
for (let i = 0; i < n; i += 1) sns.push((await makePlant(stores.db)).sn);
writeFileSync('/tmp/ingest/sns.json', JSON.stringify(sns));
console.log('ready', process.pid);
let last = 0; let lastCpu = process.cpuUsage();
const t = setInterval(async () => {
  const s = await ingestion.counted('ingest_samples_total');
  const cpu = process.cpuUsage(lastCpu); lastCpu = process.cpuUsage();
  console.log('samples/s', Math.round((s - last) / 2), 'total', s, JSON.stringify(ingestion.state()), 'cpu', ((cpu.user + cpu.system) / 2e6).toFixed(2), 'rss', Math.round(process.memoryUsage.rss() / 1e6), 'dups', await ingestion.counted('ingest_duplicates_total'), 'rej', JSON.stringify((await ingestion.metrics.getSingleMetric('ingest_rejected_total')!.get()).values.map((v: any) => [v.labels.reason, v.value])));
  last = s;
}, 2000);
process.on('SIGTERM', async () => { clearInterval(t); await ingestion.stop(); await stores.stop(); process.exit(0); });
