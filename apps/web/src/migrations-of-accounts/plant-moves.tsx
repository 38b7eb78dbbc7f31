import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import styles from './migrations.module.css';

interface Place {
  organisation: string;
  owner: string;
}

export interface MovingPlant {
  stationID: string;
  name: string;
  devices?: number;
  dataloggers?: number;
  from: Place;
  to: Place;
}

const MOST_SHOWN = 100;

/** Plants of a transfer with the organisation and the owner that each leaves and comes to. */
export function PlantMoves({ plants }: { plants: readonly MovingPlant[] }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const counted = plants.some(({ devices }) => devices !== undefined);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={styles.scroll} tabIndex={0} aria-label={t('migrations-of-accounts.preview.title')}>
        <table className={styles.moves}>
          <thead>
            <tr>
              <th scope="col">{t('migrations-of-accounts.field.plant')}</th>
              {counted && <th scope="col">{t('migrations-of-accounts.field.devices')}</th>}
              {counted && <th scope="col">{t('migrations-of-accounts.field.dataloggers')}</th>}
              <th scope="col">{t('migrations-of-accounts.field.organisation')}</th>
              <th scope="col">{t('migrations-of-accounts.field.owner')}</th>
            </tr>
          </thead>
          <tbody>
            {plants.slice(0, MOST_SHOWN).map((plant) => (
              <tr key={plant.stationID}>
                <th scope="row">{plant.name}</th>
                {counted && <td>{format.number(plant.devices ?? 0)}</td>}
                {counted && <td>{format.number(plant.dataloggers ?? 0)}</td>}
                <td>
                  <Move from={plant.from.organisation} to={plant.to.organisation} />
                </td>
                <td>
                  <Move from={plant.from.owner} to={plant.to.owner} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {plants.length > MOST_SHOWN && (
        <p className={styles.note}>
          {t('migrations-of-accounts.preview.moreRows', { number: format.number(plants.length - MOST_SHOWN) })}
        </p>
      )}
    </>
  );
}

function Move({ from, to }: { from: string; to: string }) {
  const { t } = useTranslation();
  const named = (name: string): string => name || t('migrations-of-accounts.preview.nobody');
  if (from === to)
    return (
      <>
        {named(from)} <span className={styles.note}>({t('migrations-of-accounts.preview.stays')})</span>
      </>
    );
  return (
    <>
      <s className={styles.leaves}>{named(from)}</s> → <strong>{named(to)}</strong>
    </>
  );
}
