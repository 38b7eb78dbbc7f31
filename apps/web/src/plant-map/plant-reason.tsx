import type { PlacedSite } from '@sonnenwarte/contract/sites/site-places';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/show/button.tsx';
import { useFormat } from '../format/use-format.ts';
import { useAttentionText } from '../insight/attention-text.ts';
import { Evidence } from '../insight/evidence-part.ts';
import styles from './plant-map.module.css';

/** A loss is told as what is missing. */
const minus = (text: string): string => `−${text}`;

/** Why a plant needs attention, what it lost, and the way to the evidence. */
export function PlantReason({ plant }: { plant: PlacedSite }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const attentionText = useAttentionText();
  const [isOpen, setOpen] = useState(false);
  const { stationID, name, week } = plant;
  const { reason, facts } = attentionText({ ...plant, losing: week });
  const lost =
    week?.lossWh == null || week.lossWh === 0
      ? []
      : [format.energy(week.lossWh), ...(week.lossMoney === null ? [] : [format.money(week.lossMoney, week.currency)])];
  return (
    <div className={styles.reason}>
      <span className={styles.why}>
        <strong>{reason}</strong>
        <small>{facts.join(' · ')}</small>
        {lost.length > 0 && (
          <span className={styles.lost}>{t('plant-map.lost', { loss: lost.map(minus).join(', ') })}</span>
        )}
      </span>
      {week !== null && (
        <Button small onClick={() => setOpen(true)} aria-label={t('losses.attention.evidenceOf', { name })}>
          {t('losses.attention.evidence')}
        </Button>
      )}
      {isOpen && (
        <Suspense>
          <Evidence stationID={stationID} name={name} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
