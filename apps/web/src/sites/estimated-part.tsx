import type { Figures } from '@sonnenwarte/contract/sites/site';
import { estimates } from '@sonnenwarte/contract/sites/site-endpoints';
import type { EstimatedPart, EstimatedParts, SiteQuality } from '@sonnenwarte/contract/sites/site-quality';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Hint } from '../blocks/overlay/hint.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { estimatedShare } from './estimated-share.ts';
import styles from './sites.module.css';

const REFRESH_MS = 60_000;

/** What of a plant's energies is estimated, asked for only where any figure bears that mark. */
export function useEstimates(stationID: string, figures: readonly Figures[]): SiteQuality | undefined {
  const enabled = figures.some(({ quality }) => quality === 'estimated');
  return useQuery({ ...read(estimates, { stationID }, { quiet: true }), enabled, refetchInterval: REFRESH_MS }).data;
}

const isPart = (row: string, parts: EstimatedParts): row is keyof EstimatedParts => row in parts;

/** How much of a figure is estimated, and why; nothing where all of it was measured. */
export function EstimatedNote({ row, parts }: { row: string; parts: EstimatedParts | undefined }): ReactNode {
  return parts !== undefined && isPart(row, parts) ? <PartNote part={parts[row]} /> : null;
}

function PartNote({ part }: { part: EstimatedPart }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const share = estimatedShare(part);
  if (share === 'none') return null;
  const percent = typeof share === 'number' ? format.percent(share, 1) : format.percent(0.1, 1);
  return (
    <small className={styles.span}>
      <Hint text={t(share === 'unknown' ? 'sites.estimated.hintUnknown' : 'sites.estimated.hint')}>
        {t(`sites.estimated.${typeof share === 'number' ? 'part' : share}`, { percent })}
      </Hint>
    </small>
  );
}
