import { LARGE_LOSS_WH, placedLosses, placedStates, type Ranking } from '@sonnenwarte/contract/sites/site-places';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../blocks/form/segmented.tsx';
import { StatusMark } from '../blocks/show/status-tag.tsx';
import { useFormat } from '../format/use-format.ts';
import styles from './plant-map.module.css';

interface RankingChoiceProps {
  by: Ranking;
  onChange: (by: Ranking) => void;
}

/** By what the map is coloured, and what its marks mean: each has a shape of its own. */
export function RankingChoice({ by, onChange }: RankingChoiceProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const energy = format.energy(LARGE_LOSS_WH);
  return (
    <div className={styles.ranking}>
      <Segmented
        label={t('plant-map.colour.label')}
        value={by}
        options={[
          { value: 'state', label: t('plant-map.colour.state') },
          { value: 'loss', label: t('plant-map.colour.loss') },
        ]}
        onChange={onChange}
      />
      <ul className={styles.legend} aria-label={t('plant-map.legend')}>
        {placedStates.map((state, rank) => (
          <li key={state}>
            <StatusMark state={state} />
            {by === 'state' ? t(`states.${state}`) : t(`plant-map.losses.${placedLosses[rank] ?? 'none'}`, { energy })}
          </li>
        ))}
      </ul>
    </div>
  );
}
