import { errno } from '@sonnenwarte/contract/errors';
import type { Language } from '@sonnenwarte/contract/languages';
import { languages, localeOf } from '@sonnenwarte/contract/languages';
import { monthlyReportEndpoints as calls } from '@sonnenwarte/contract/monthly-reports/monthly-reports';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { daysOfMonth } from '@sonnenwarte/energy/calendar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { signedRequest } from '../testing/portal.ts';
import { readPdf } from '../testing/read-pdf.ts';
import { addBrandOf, reckonedDays } from '../testing/report-months.ts';

/** The second of June at noon in Berlin. */
const NOW_MS = Date.UTC(2026, 5, 2, 10);
let plants: PlantsFixture;
let installerId: string;
let owner: { id: string; level: 1; organisationID: string };
let token: string;
let site: { id: string; key: number };

const energies = { pv_wh: 20_000, load_wh: 9_000, export_wh: 12_500, import_wh: 1_500 };
const flows = {
  pv_to_load_wh: 7_500,
  pv_to_grid_wh: 11_500,
  battery_to_grid_wh: 1_000,
  grid_to_load_wh: 1_500,
  loss_wh: 0,
};

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
  ({ installerId } = await plants.addInstaller());
  owner = (await plants.addAccount(installerId, 1)) as typeof owner;
  token = plants.signIn(owner);
  site = await plants.addSite(installerId, {
    name: 'Haus Őrség 江南',
    city: 'Bran',
    owner_account_id: owner.id,
    purchase_price: '0.30',
    feed_in_price: '0.08',
    currency: 'EUR',
  });
  const days = (month: string, factor: number) =>
    daysOfMonth(month).map((day) => ({
      site: site.key,
      version: 1,
      quality: 0,
      day,
      ...energies,
      ...flows,
      pv_wh: energies.pv_wh * factor,
      income: '1.00',
      saving: '2.25',
      paid: '0.45',
    }));
  await plants.insert('site_day', [...days('2025-05', 0.8), ...days('2026-05', 1)]);
  await reckonedDays(plants, site.key, '2026-05');
});
afterAll(() => plants?.stop());

async function pdfIn(lang: Language, by = token, month = '2026-05') {
  const options = { token: by, lang, timestamp: String(NOW_MS) };
  const [address, init] = signedRequest(plants.url, calls.file, { stationID: site.id, month }, options);
  const response = await fetch(address, init);
  expect(response.headers.get('content-type')).toBe('application/pdf');
  return readPdf(new Uint8Array(await response.arrayBuffer()));
}

const shown = (value: number, digits: number, locale: string): string =>
  new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

describe('the report of a month', () => {
  test('tells the figures of the page of the plant, money of its calendar, losses that add up', async () => {
    const pdf = await pdfIn('de');
    const compared = await plants.read(
      siteEndpoints.comparison,
      { stationID: site.id, span: 'month', date: '2026-05-10', against: 'lastYear' },
      token,
    );
    const calendar = await plants.read(siteEndpoints.calendar, { stationID: site.id, year: 2026 }, token);
    const { now, before } = compared;
    expect(before).not.toBeNull();
    for (const wh of [now.generationWh, now.consumptionWh, now.feedInWh, before?.generationWh ?? 0])
      expect(pdf.text).toContain(shown((wh ?? 0) / 1_000, 1, 'de'));
    const month = calendar.months.find((each) => each.month === '2026-05');
    expect(pdf.text).toContain(`${shown(Number(month?.money), 2, 'de')} €`);
    expect(pdf.text).toContain('+25');
    // Two reasons and what none explains, of thirty-one days: 31 × (400 + 100 + 100) Wh.
    for (const part of ['Einspeisegrenze', '12,4', 'Verschmutzung', '3,1', 'Ungeklärt', '18,6'])
      expect(pdf.text).toContain(part);
    expect(pdf.text).toContain('31 von 31');
    // What of the generation went to the grid and what the battery gave come to the feed-in.
    for (const part of ['Netz 356,5', 'außerdem eingespeist', 'Batterie 31,0', 'Tipp für Juni 2026'])
      expect(pdf.text).toContain(part);
  });

  test('is one tagged page in the language of the caller, its texts to be selected, its chart with words', async () => {
    for (const language of languages) {
      const pdf = await pdfIn(language);
      expect(pdf).toMatchObject({ language: localeOf(language), isTagged: true, pages: 1 });
      expect(pdf.title).toContain('Haus Őrség 江南');
      expect(pdf.text).toContain('江南');
      expect(pdf.text).not.toMatch(/\{\{|\?/);
      const roles = new Set(pdf.parts.map(({ role }) => role));
      for (const role of ['H1', 'H2', 'P', 'Table', 'TR', 'TH', 'TD', 'Figure']) expect(roles).toContain(role);
      const chart = pdf.parts.find(({ role }) => role === 'Figure');
      expect(chart?.alt).toContain(shown(20, 1, localeOf(language)));
    }
  });

  test('of a month that is not whole says so', async () => {
    const young = await plants.addSite(installerId, { owner_account_id: owner.id });
    const rows = ['2026-05-20', '2026-05-22'].map((day) => ({
      site: young.key,
      version: 1,
      quality: 0,
      day,
      ...energies,
    }));
    await plants.insert('site_day', rows);
    const options = { token, lang: 'de', timestamp: String(NOW_MS) };
    const [address, init] = signedRequest(plants.url, calls.file, { stationID: young.id, month: '2026-05' }, options);
    const pdf = await readPdf(new Uint8Array(await (await fetch(address, init)).arrayBuffer()));
    expect(pdf.text).toContain('aufgezeichnet seit 20.05.2026');
    expect(pdf.text).toContain('2 von 31');
    expect(pdf.text).toContain('Nicht bekannt: Weder ein Sensor');
  });

  test('bears name and logo of the brand of whoever asks', async () => {
    expect(await pdfIn('de')).toMatchObject({ pictures: 0 });
    await addBrandOf(plants, installerId, 'Solar Muster');
    const branded = await pdfIn('de');
    expect(branded.pictures).toBe(1);
    expect(branded.text).toContain('Solar Muster');
    expect(branded.parts.filter(({ role }) => role === 'Figure').map(({ alt }) => alt)).toContain('Solar Muster');
  });

  test('of a plant of strangers is not found, nor one of a month without values', async () => {
    const stranger = plants.signIn(await plants.addAccount(installerId, 1));
    const asked = { stationID: site.id, month: '2026-05' };
    expect(await plants.call(calls.file, asked, stranger)).toMatchObject({ errno: errno.siteNotFound });
    expect(await plants.call(calls.months, asked, stranger)).toMatchObject({ errno: errno.siteNotFound });
    expect(await plants.call(calls.mail, { ...asked, isOn: true }, stranger)).toMatchObject({
      errno: errno.siteNotFound,
    });
    for (const month of ['2025-04', '2026-07'])
      expect(await plants.call(calls.file, { ...asked, month }, token)).toMatchObject({
        errno: errno.monthNotRecorded,
      });
  });

  test('is offered of each month since the first values, and is mailed to confirmed addresses alone', async () => {
    const { months, mail } = await plants.read(calls.months, { stationID: site.id }, token);
    expect(months).toHaveLength(14);
    expect(months[0]).toEqual({ month: '2026-06', isRunning: true });
    expect(months.at(-1)).toEqual({ month: '2025-05', isRunning: false });
    expect(mail.isOn).toBe(false);
    const unconfirmed = await plants.addAccount(installerId, 2);
    await plants.db
      .updateTable('accounts')
      .set({ email_confirmed_at: null })
      .where('id', '=', unconfirmed.id)
      .execute();
    const asked = { stationID: site.id, isOn: true };
    const refused = await plants.call(calls.mail, asked, plants.signIn(unconfirmed));
    expect(refused).toMatchObject({ errno: errno.refusedInput });
    await plants.read(calls.mail, asked, token);
    expect(await plants.read(calls.months, asked, token)).toMatchObject({ mail: { isOn: true } });
    await plants.read(calls.mail, { ...asked, isOn: false }, token);
    expect(await plants.read(calls.months, asked, token)).toMatchObject({ mail: { isOn: false } });
  });
});
