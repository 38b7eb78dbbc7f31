import type { CorrectionRow } from '@sonnenwarte/contract/data-repair/corrections';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../blocks/show/panel.tsx';
import { PropertyList } from '../blocks/show/property-list.tsx';
import { useFormat } from '../format/use-format.ts';
import { spanText } from './entries.ts';
import styles from './repair.module.css';
import { UndoButton } from './undo-button.tsx';

interface CorrectionCardProps {
  correction: CorrectionRow;
  stationID: string;
  zone: string;
  onUndone: () => void;
}

/** A correction that stands: what it says, who made it, and the way back. */
export function CorrectionCard({ correction, stationID, zone, onUndone }: CorrectionCardProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { correctionID, way, formerWh, energyWh, reason, company, madeAtMs } = correction;
  return (
    <Panel title={t('data-repair.corrected')}>
      <PropertyList
        items={[
          { label: t('data-repair.span'), value: spanText(correction, zone, format) },
          { label: t('data-repair.field.way'), value: t(`data-repair.way.${way}`) },
          { label: t('data-repair.before'), value: format.energy(formerWh) },
          { label: t('data-repair.after'), value: format.energy(energyWh) },
          { label: t('data-repair.field.reason'), value: reason },
          { label: t('data-repair.madeBy'), value: `${company}, ${format.dateTime(madeAtMs, zone)}` },
        ]}
      />
      <p className={styles.note}>{t('data-repair.ownerSees')}</p>
      <UndoButton stationID={stationID} correctionID={correctionID} onUndone={onUndone} />
    </Panel>
  );
}
