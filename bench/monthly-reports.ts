import { monitorEventLoopDelay } from 'node:perf_hooks';
import { daysOfMonth } from '@sonnenwarte/energy/calendar';
import { systemScope } from '../apps/server/src/access/scope.ts';
import { systemClock } from '../apps/server/src/changes/live-clock.ts';
import { makeReport } from '../apps/server/src/monthly-reports/monthly-reports.service.ts';
import { PdfMaker } from '../apps/server/src/monthly-reports/pdf/pdf-maker.ts';
import { PlantsFixture } from '../apps/server/src/testing/plants-fixture.ts';
import { reckonedDays } from '../apps/server/src/testing/report-months.ts';

/** `node bench/monthly-reports.ts [number] [language]`: makes so many reports one after the other, as the nightly job does, and prints what each took. */

const count = Number(process.argv[2] ?? 100);
const language = process.argv[3] === 'zh_CN' ? 'zh_CN' : process.argv[3] === 'ko' ? 'ko' : 'de';
const NANOSECONDS_PER_MS = 1e6;
const PLANTS = 20;

const plants = await PlantsFixture.start();
const nowMs = () => Date.UTC(2026, 5, 2, 10);
plants.time.nowMs = nowMs();
const maker = new PdfMaker(systemClock(nowMs));
try {
  const { id: organisationId } = await plants.addOrganisation('installer');
  const account = await plants.addAccount(organisationId, 1);
  const sites: { id: string; key: number }[] = [];
  for (let place = 0; place < PLANTS; place += 1) {
    const site = await plants.addSite(organisationId, { name: `Plant ${place}`, owner_account_id: account.id });
    const days = ['2025-05', '2026-05'].flatMap((month) => daysOfMonth(month));
    const row = { site: site.key, version: 1, quality: 0, pv_wh: 20_000, load_wh: 9_000, export_wh: 12_000 };
    await plants.insert(
      'site_day',
      days.map((day) => ({ ...row, day })),
    );
    await reckonedDays(plants, site.key, '2026-05');
    sites.push(site);
  }
  const making = { db: plants.db, telemetry: plants.stores.telemetry.client, nowMs, maker };
  const one = (place: number) => {
    const asked = { stationID: sites[place % PLANTS]?.id ?? '', month: '2026-05' };
    return makeReport(making, systemScope, asked, { accountId: account.id, language });
  };
  const firstMs = performance.now();
  await one(0);
  const first = performance.now() - firstMs;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const times: number[] = [];
  for (let place = 0; place < count; place += 1) {
    const startMs = performance.now();
    await one(place);
    times.push(performance.now() - startMs);
  }
  delay.disable();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const all = times.reduce((sum, each) => sum + each, 0);
  process.stdout.write(
    [
      `${count} reports (${language}), one after the other: ${(all / count).toFixed(0)} ms each, median ${at(0.5).toFixed(0)} ms, 95 % within ${at(0.95).toFixed(0)} ms`,
      `the first, with its fonts and thread: ${first.toFixed(0)} ms`,
      `longest stall of the loop meanwhile: ${(delay.max / NANOSECONDS_PER_MS).toFixed(1)} ms`,
      '',
    ].join('\n'),
  );
} finally {
  maker.stop();
  await plants.stop();
}
