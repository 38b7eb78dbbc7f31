import { FALLBACK_LANGUAGE, isLanguage } from '@sonnenwarte/contract/languages';
import { months } from '@sonnenwarte/contract/monthly-reports/monthly-reports';
import { localDay } from '@sonnenwarte/energy/calendar';
import { scopeOf } from '../access/scope.ts';
import { brandOf, OWN_NAME } from '../branding/brand-of.ts';
import { dueSince } from '../insight/due.store.ts';
import { addJob } from '../jobs/jobs.ts';
import { sendMail } from '../mail/mail.ts';
import { mailText } from '../mail/mail-texts.ts';
import { confirmedAddressOf } from '../notifications/channels.store.ts';
import { Formats } from '../papers/formats.ts';
import type { Uses } from '../services.ts';
import { isHeld, type SiteFrame, siteFrame } from '../sites/sites.store.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { type Making, makeReport } from './monthly-reports.service.ts';
import {
  type DueMail,
  noteMailed,
  type Receiver,
  receiverOf,
  removeReceiver,
  takeDue,
  waitWith,
} from './monthly-reports.store.ts';
import { monthsOf } from './report-months.ts';

export const MAIL_REPORT = 'monthlyReports.mail';

export type Mailing = Making & Uses<'logger' | 'publicUrl'>;

/** So many days after the month what is still to be counted of it is waited for. */
const WAITED_FOR_DAYS = 3;

/** What one piece of work makes: few enough that other work of the queue comes in between. */
const AT_ONCE = 10;

/** Makes and mails the reports that are due next, one after the other, then sees to it that others follow; answers whether there were any. */
export async function mailNext(mailing: Mailing, ending: AbortSignal): Promise<boolean> {
  const { db, nowMs, logger } = mailing;
  if (ending.aborted) return false;
  const taken = await takeDue(db, new Date(nowMs()), AT_ONCE);
  if (taken.length === 0) return false;
  for (const due of taken) {
    // What was taken and not made is taken again later.
    if (ending.aborted) return true;
    await mailOne(mailing, due).catch((error: unknown) => {
      logger.error({ err: error, ...due }, 'a monthly report could not be mailed; it is tried again');
    });
  }
  await addJob(db, MAIL_REPORT);
  return true;
}

async function mailOne(mailing: Mailing, due: DueMail): Promise<void> {
  const { db, nowMs } = mailing;
  const receiver = await receiverOf(db, due.accountId);
  if (receiver === undefined) return waitLonger(mailing, due);
  const scope = scopeOf(receiver);
  const mayAsk = months.callers.some((level) => level === receiver.level);
  const site = mayAsk ? await siteFrame(db, scope, due.siteId) : undefined;
  // Whom it is not shown any more does not get it either.
  if (site === undefined) {
    await removeReceiver(db, due.siteId, due.accountId);
    return;
  }
  const to = confirmedAddressOf(receiver);
  if (to === '' || (await isStillCounted(mailing, site, due))) return waitLonger(mailing, due);
  // Of a month of which nothing was recorded there is nothing to tell.
  const isRecorded = (await monthsOf(mailing, site)).some(({ month }) => month === due.month);
  if (!isRecorded) {
    await noteMailed(db, due, new Date(nowMs()));
    return;
  }
  await mailTo(mailing, due, receiver, to);
}

async function waitLonger({ db }: Mailing, due: DueMail): Promise<void> {
  await waitWith(db, due);
}

/** Whether figures or losses of the month are still to come, and may be waited for. */
async function isStillCounted({ db, nowMs }: Mailing, site: SiteFrame, { month }: DueMail): Promise<boolean> {
  const today = localDay(nowMs(), site.timeZone);
  if (Number(today.slice(8)) > WAITED_FOR_DAYS) return false;
  const lastDay = `${month}-31`;
  return !isHeld(site, lastDay) || (await dueSince(db, [site.id], `${month}-01`)).size > 0;
}

async function mailTo(mailing: Mailing, due: DueMail, receiver: Receiver, to: string): Promise<void> {
  const { db, nowMs, publicUrl } = mailing;
  const { accountId, siteId: stationID, month } = due;
  const language = isLanguage(receiver.language) ? receiver.language : FALLBACK_LANGUAGE;
  const { pdf, name, figures } = await makeReport(
    mailing,
    scopeOf(receiver),
    { stationID, month },
    { accountId, language },
  );
  const brand = await brandOf(db, { accountId });
  const { subject, text } = mailText('monthlyReport', language, {
    user: receiver.name === '' ? receiver.username : receiver.name,
    plant: figures.plant.name,
    month: new Formats(language, figures.plant.timeZone).month(month),
    link: `${publicUrl()}/bus/plant/detail?id=${stationID}`,
    portal: brand?.name ?? OWN_NAME,
  });
  await inTransaction(db, async (tx) => {
    if (!(await noteMailed(tx, due, new Date(nowMs())))) return;
    const attachments = [{ name, contentType: 'application/pdf', content: pdf }];
    await sendMail(tx, { to, subject, text, brandId: brand?.id ?? null, attachments });
  });
}
