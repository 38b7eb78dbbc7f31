import { daysOfMonth } from '@sonnenwarte/energy/calendar';
import type { Reason } from '@sonnenwarte/energy/insight/reasons';
import { putInsights, type StoredInsight } from '../insight/insight-rows.store.ts';
import { plainPng } from './plain-png.ts';
import type { PlantsFixture } from './plants-fixture.ts';

const reason = (kind: 'export-limit' | 'soiling', lossWh: number): Reason =>
  ({ kind, lossWh, spans: [], confidence: 0.9, evidence: {} }) as unknown as Reason;

/** Days of a month as they are reckoned: 600 Wh lost of each, of which 100 Wh are explained by nothing. */
export async function reckonedDays(plants: PlantsFixture, site: number, month: string): Promise<void> {
  const rows = daysOfMonth(month).map((day) => ({
    site,
    day,
    kwp: 10,
    insight: {
      dayMs: Date.parse(day),
      source: 'neighbours',
      actualWh: 19_400,
      expectedWh: 20_000,
      lossWh: 600,
      unexplainedWh: 100,
      unknownWh: 0,
      performanceRatio: 0.8,
      availability: 0.99,
      completeness: 1,
      reasons: [reason('export-limit', 400), reason('soiling', 100)],
      money: '0.060000',
      currency: 'EUR',
    } as unknown as StoredInsight,
  }));
  await putInsights(plants.stores.telemetry.client, rows);
}

/** A brand of an organisation, with a logo. */
export async function addBrandOf(plants: PlantsFixture, organisationId: string, name: string): Promise<void> {
  const hash = `logo-${organisationId}`;
  const size = { width: 12, height: 6 };
  await plants.db
    .insertInto('brand_logos')
    .values({ hash, content: plainPng(size.width, size.height), ...size, sent_at: new Date() })
    .execute();
  await plants.db
    .insertInto('brands')
    .values({
      name,
      domain: `${organisationId}.example`,
      organisation_id: organisationId,
      logo: hash,
      colour: '#a02040',
      updated_at: new Date(),
    })
    .execute();
}
