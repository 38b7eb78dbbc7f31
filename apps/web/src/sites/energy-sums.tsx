import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import type { EnergySlots, Split } from './energy-slots.ts';
import styles from './energy-sums.module.css';
import { partSums } from './part-sums.ts';
import { sharesOf } from './where-from-shares.ts';

/** A report tells thousandths of a Wh, so that sums of its parts differ from it by a few of them. */
const NOISE_WH = 0.05;

interface EnergySumsProps {
  /** Bars of either split. */
  bars: Readonly<Record<Split, EnergySlots>>;
  /** History is still coming: that all is preliminary is said elsewhere. */
  preliminary: boolean;
  /** What the grid gave in that time. */
  boughtWh: number | null;
}

/** Both divisions of the range that is shown as lists with their sums, whichever of them stands as bars above. */
export function EnergySums({ bars, preliminary, boughtWh }: EnergySumsProps): ReactNode {
  return (
    <div className={styles.lists}>
      {(['production', 'consumption'] as const).map((split) => (
        <div key={split}>
          <SumList split={split} bars={bars[split]} preliminary={preliminary} />
          {split === 'consumption' && <BoughtBesides bars={bars[split]} boughtWh={boughtWh} />}
        </div>
      ))}
    </div>
  );
}

function SumList({ split, bars, preliminary }: { split: Split; bars: EnergySlots; preliminary: boolean }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const sums = partSums(bars);
  if (sums.every((sum) => sum === null)) return null;
  const { parts, sum } = format.energyParts(sums);
  const shares = sharesOf(sums.map((wh) => wh ?? 0));
  const isEstimated = !preliminary && bars.slots.some(({ estimated }) => estimated);
  return (
    <table className={styles.list}>
      <caption>{t(`charts.${split}`)}</caption>
      <tbody>
        {bars.parts.map(({ key, tone }, place) => (
          <tr key={key}>
            <th scope="row">
              <i style={{ background: `var(--${tone})` }} />
              {t(`charts.part.${key}`)}
            </th>
            <td>{parts[place]}</td>
            <td>{sums[place] === null ? '' : format.percent(shares[place] ?? 0)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t(split === 'production' ? 'sites.figure.generationWh' : 'sites.figure.consumptionWh')}</th>
          <td>
            {isEstimated && <span title={t('charts.estimated')}>≈ </span>}
            {sum}
          </td>
          <td />
        </tr>
      </tfoot>
    </table>
  );
}

/** Says of a purchase that is more than what the grid gave for consumption where the rest went. */
function BoughtBesides({ bars, boughtWh }: { bars: EnergySlots; boughtWh: number | null }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const sums = partSums(bars);
  const place = bars.parts.findIndex(({ key }) => key === 'grid');
  const usedWh = sums[place] ?? null;
  if (boughtWh === null || usedWh === null || boughtWh < usedWh + NOISE_WH) return null;
  const bought = format.energy(boughtWh);
  return bought === format.energyParts(sums).parts[place] ? null : (
    <p className={styles.besides}>{t('charts.boughtBesides', { energy: bought })}</p>
  );
}
