import type { burnInEndpoints } from '@sonnenwarte/contract/burn-in/burn-in';
import { isJudged, isRunOver } from '@sonnenwarte/contract/burn-in/moves';
import type { Parsed } from '@sonnenwarte/contract/endpoint';
import { phraseText } from '../exports/phrase-text.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, FileAnswer } from '../http/serve.ts';
import { paperBrandOf } from '../papers/paper-brand.ts';
import type { PdfMaker } from '../papers/pdf-maker.ts';
import type { Uses } from '../services.ts';
import type { PaperTask } from './paper.ts';
import { certificateOf, runPaperOf } from './paper-words.ts';
import { unitResult } from './results.service.ts';
import { unitsOf } from './results.store.ts';
import { runById } from './runs.store.ts';

type Calls = typeof burnInEndpoints;
type Making = Uses<'db' | 'telemetry' | 'nowMs'> & { readonly maker: PdfMaker<PaperTask> };
type Reader = Pick<CallContext, 'actor' | 'language'>;

async function drawn(making: Making, paper: PaperTask['paper'], { actor, language }: Reader): Promise<Buffer> {
  return making.maker.draw({ paper, language, brand: await paperBrandOf(making, actor.accountId) });
}

/** The certificate of a unit in the language of who asks. */
export async function certificateFile(
  making: Making,
  asked: Parsed<Calls['certificate']>,
  reader: Reader,
): Promise<FileAnswer> {
  const result = await unitResult(making, asked);
  if (!isJudged(result.unit.state)) throw new CallError('burnInNoVerdict');
  const { language } = reader;
  const body = await drawn(making, certificateOf(result, language, making.nowMs()), reader);
  const name = `${phraseText('burn-in-paper.certificate', language)} ${result.unit.sn}.pdf`;
  return { name, contentType: 'application/pdf', body };
}

/** The report of a run in the language of who asks. */
export async function runReportFile(
  making: Making,
  { runID }: Parsed<Calls['runReport']>,
  reader: Reader,
): Promise<FileAnswer> {
  const run = found(await runById(making.db, runID), 'burnInRunNotFound');
  if (!isRunOver(run.state)) throw new CallError('burnInRunNotOver');
  const { language } = reader;
  const units = await unitsOf(making.db, runID);
  const body = await drawn(making, runPaperOf(run, units, language, making.nowMs()), reader);
  const name = `${phraseText('burn-in-paper.report', language)} ${run.number}.pdf`;
  return { name, contentType: 'application/pdf', body };
}
