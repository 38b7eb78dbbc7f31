import type { IncidentSummary } from '@sonnenwarte/contract/incidents/incident-summary';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { KeyFigure, KeyFigures } from '../blocks/show/key-figure.tsx';
import { useMoments } from '../format/moments.ts';
import { NOT_MEASURED } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../live/use-now.ts';

const MINUTE_MS = 60_000;

type Sums = IncidentSummary['lostToday'];

/** What all incidents in scope come to: what they cost, who waits, and what is over again. */
export function IncidentFigures({ summary }: { summary: IncidentSummary | undefined }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { duration } = useMoments();
  const nowMs = useNow(MINUTE_MS);
  const energy = (sums: Sums | undefined) => {
    if (sums === undefined || sums.unknown === 0) return format.energyQuantity(sums?.wh ?? null);
    // Of what is not known, nothing is no figure.
    if (sums.wh === null || sums.wh === 0) return { value: t('incidents.unknown'), unit: '' };
    const { value, unit } = format.energyQuantity(sums.wh);
    return { value: `≥ ${value}`, unit };
  };
  const money = (sums: Sums | undefined): string => {
    if (sums === undefined) return NOT_MEASURED;
    const known = sums.money.map(({ amount, currency }) => format.money(amount, currency));
    const unknown = sums.unknown > 0 ? [`${format.number(sums.unknown)} × ${t('incidents.unknown')}`] : [];
    return [...known, ...unknown].join(' · ') || NOT_MEASURED;
  };
  const count = (value: number | undefined): string => format.number(value ?? null);
  const { lostToday, lostOpen, counts, brief, oldestUnacknowledgedMs = null } = summary ?? {};
  return (
    <KeyFigures>
      <KeyFigure
        label={t('incidents.figure.today')}
        hint={t('incidents.figure.todayMeaning')}
        {...energy(lostToday)}
        note={money(lostToday)}
        tone="bad"
      />
      <KeyFigure
        label={t('incidents.figure.open')}
        hint={t('incidents.figure.openMeaning')}
        {...energy(lostOpen)}
        note={money(lostOpen)}
        tone="bad"
      />
      <KeyFigure
        label={t('incidents.figure.unacknowledged')}
        value={count(counts?.unacknowledged)}
        note={
          oldestUnacknowledgedMs === null
            ? t('incidents.figure.noneWaits')
            : t('incidents.figure.oldest', { duration: duration(Math.max(0, nowMs - oldestUnacknowledgedMs)) })
        }
      />
      <KeyFigure
        label={t('incidents.figure.mended')}
        value={count(counts?.mended)}
        note={t('incidents.figure.brief', { number: count(brief) })}
      />
    </KeyFigures>
  );
}
