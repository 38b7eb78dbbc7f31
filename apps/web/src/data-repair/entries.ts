import type { CorrectionRow } from '@sonnenwarte/contract/data-repair/corrections';
import type { Finding, repairEndpoints } from '@sonnenwarte/contract/data-repair/data-repair';
import type { Result } from '@sonnenwarte/contract/endpoint';
import type { TFunction } from 'i18next';
import { localDay } from '../format/dates.ts';
import type { Format } from '../format/use-format.ts';
import type { NumberedMark } from './counter-chart.tsx';

/** A line of the list, under the number that the chart shows. */
export interface RepairEntry {
  readonly key: string;
  readonly number: number;
  readonly mark: NumberedMark['kind'];
  readonly fromMs: number;
  readonly toMs: number;
  readonly title: (t: TFunction) => string;
  readonly energyWh: number | null;
  readonly finding?: Finding;
  readonly correction?: CorrectionRow;
}

const markOf = { reset: 'joint', wrap: 'joint', replaced: 'joint', outlier: 'outlier', gap: 'gap' } as const;

/** What was unusual and what was corrected, in the order of time; a correction stands in the place of what it corrects. */
export function entriesOf(series: Result<typeof repairEndpoints.series> | undefined): RepairEntry[] {
  if (series === undefined) return [];
  const { corrections, findings } = series;
  const isCorrected = (finding: Finding): boolean =>
    corrections.some(({ fromMs, toMs }) => finding.fromMs < toMs && fromMs < finding.toMs);
  const all = [
    ...findings
      .filter((finding) => !isCorrected(finding))
      .map((finding) => ({
        key: `${finding.kind} ${finding.fromMs}`,
        mark: markOf[finding.kind],
        fromMs: finding.fromMs,
        toMs: finding.toMs,
        title: (t: TFunction) => t(`data-repair.finding.${finding.kind}`),
        energyWh: finding.energyWh,
        finding,
      })),
    ...corrections.map((correction) => ({
      key: `correction ${correction.correctionID}`,
      mark: 'correction' as const,
      fromMs: correction.fromMs,
      toMs: correction.toMs,
      title: (t: TFunction) => t(`data-repair.way.${correction.way}`),
      energyWh: correction.energyWh,
      correction,
    })),
  ];
  return all.toSorted((a, b) => a.fromMs - b.fromMs).map((entry, place) => ({ ...entry, number: place + 1 }));
}

/** A span in words, its day once where it is one. */
export function spanText({ fromMs, toMs }: { fromMs: number; toMs: number }, zone: string, format: Format): string {
  const from = format.dateTime(fromMs, zone);
  const isOneDay = localDay(fromMs, zone) === localDay(toMs - 1, zone);
  return `${from} – ${isOneDay ? format.time(toMs, zone) : format.dateTime(toMs, zone)}`;
}
