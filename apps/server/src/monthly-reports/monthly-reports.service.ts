import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { Language } from '@sonnenwarte/contract/languages';
import type { monthlyReportEndpoints } from '@sonnenwarte/contract/monthly-reports/monthly-reports';
import type { Scope } from '../access/scope.ts';
import { phraseText } from '../exports/phrase-text.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, FileAnswer } from '../http/serve.ts';
import { confirmedAddressOf, readerOf } from '../notifications/channels.store.ts';
import { paperBrandOf } from '../papers/paper-brand.ts';
import type { PdfMaker } from '../papers/pdf-maker.ts';
import type { Uses } from '../services.ts';
import { siteFrame } from '../sites/sites.store.ts';
import { type MonthFigures, monthFigures, type Stores } from './month-figures.ts';
import { addReceiver, receives, removeReceiver } from './monthly-reports.store.ts';
import type { SheetTask } from './pdf/sheet.ts';
import { monthsOf } from './report-months.ts';

type Calls = typeof monthlyReportEndpoints;
export type Making = Stores & { readonly maker: PdfMaker<SheetTask> };

async function addressOf({ db }: Uses<'db'>, accountId: string): Promise<string> {
  const account = await readerOf(db, accountId);
  return account === undefined ? '' : confirmedAddressOf(account);
}

/** Months of which a plant has a report, and whether the caller gets it by mail. */
export async function monthsOfPlant(
  stores: Stores,
  { stationID }: Parsed<Calls['months']>,
  { scope, actor }: Pick<CallContext, 'scope' | 'actor'>,
): Promise<Result<Calls['months']>> {
  const site = found(await siteFrame(stores.db, scope, stationID), 'siteNotFound');
  const [months, isOn, to] = await Promise.all([
    monthsOf(stores, site),
    receives(stores.db, site.id, actor.accountId),
    addressOf(stores, actor.accountId),
  ]);
  return { months, mail: { isOn, to } };
}

/** A report and what its file is called. */
export interface MadeReport {
  readonly figures: MonthFigures;
  readonly pdf: Buffer;
  readonly name: string;
}

/** Makes the report of a month of a plant in scope, as an account sees it. */
export async function makeReport(
  { maker, ...stores }: Making,
  scope: Scope,
  asked: Parsed<Calls['file']>,
  { accountId, language }: { readonly accountId: string; readonly language: Language },
): Promise<MadeReport> {
  const figures = await monthFigures(stores, scope, asked);
  const pdf = await maker.draw({ figures, language, brand: await paperBrandOf(stores, accountId) });
  const title = phraseText('monthly-sheet.title', language);
  return { figures, pdf, name: `${title} ${asked.month} ${figures.plant.name}.pdf` };
}

/** The report of a month as a file. */
export async function reportFile(
  making: Making,
  asked: Parsed<Calls['file']>,
  { scope, actor, language }: Pick<CallContext, 'scope' | 'actor' | 'language'>,
): Promise<FileAnswer> {
  const site = found(await siteFrame(making.db, scope, asked.stationID), 'siteNotFound');
  const months = await monthsOf(making, site);
  if (!months.some(({ month }) => month === asked.month)) throw new CallError('monthNotRecorded');
  const { pdf, name } = await makeReport(making, scope, asked, { accountId: actor.accountId, language });
  return { name, contentType: 'application/pdf', body: pdf };
}

/** Begins or ends to send the reports of a plant to the caller. */
export async function mailReports(
  { db, nowMs }: Stores,
  { stationID, isOn }: Parsed<Calls['mail']>,
  { scope, actor }: Pick<CallContext, 'scope' | 'actor'>,
): Promise<void> {
  const site = found(await siteFrame(db, scope, stationID), 'siteNotFound');
  if (!isOn) {
    await removeReceiver(db, site.id, actor.accountId);
    return;
  }
  if ((await addressOf({ db }, actor.accountId)) === '')
    throw new CallError('refusedInput', { fields: [{ path: 'isOn', reason: 'unconfirmed', params: {} }] });
  await addReceiver(db, site.id, actor.accountId, new Date(nowMs()));
}
