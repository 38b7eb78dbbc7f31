import type { ReportRow } from '@sonnenwarte/contract/reports/report';
import { isOver } from '@sonnenwarte/contract/reports/report-moves';

/** So often one that is made is looked at again. */
export const FOLLOWED_MS = 1_500;
/** Else what schedules have made shows after so long. */
export const QUIET_MS = 30_000;

export const followedEvery = (rows: readonly Pick<ReportRow, 'state'>[] | undefined): number =>
  rows?.some(({ state }) => !isOver(state)) ? FOLLOWED_MS : QUIET_MS;
