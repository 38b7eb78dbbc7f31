import type { Figures, Site } from '@sonnenwarte/contract/sites/site';
import { day, figures } from '@sonnenwarte/contract/sites/sites';
import { IconShare2 } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../blocks/show/button.tsx';
import { read } from '../client/queries.ts';
import { localDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import { showNotice } from '../notices/notices.ts';

const hand = (file: File): void => {
  const address = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href: address, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};

/** Whoever closes the browser's dialog has changed their mind. */
const isChangeOfMind = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/** Shares the running day of a plant as a picture; browsers that share no files save it. */
export function ShareDay({ site }: { site: Site }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const [drawing, setDrawing] = useState(false);
  const { stationID, name, ianaTimezone, currency } = site;

  const factsOf = (today: Figures) =>
    [
      {
        label: t('sites.figure.selfSufficiencyPercent'),
        value: format.percent(today.selfSufficiencyPercent),
        is: today.selfSufficiencyPercent,
      },
      { label: t('sites.figure.consumptionWh'), value: format.energy(today.consumptionWh), is: today.consumptionWh },
      { label: t('sites.figure.saving'), value: format.money(today.saving, currency), is: today.saving },
      { label: t('sites.figure.co2Kg'), value: `${format.number(today.co2Kg ?? 0, 1)} kg`, is: today.co2Kg },
    ].filter(({ is }) => is !== null);

  async function share(): Promise<void> {
    setDrawing(true);
    try {
      const date = localDay(Date.now(), ianaTimezone);
      const [curves, sums, { drawDay }] = await Promise.all([
        client.fetchQuery(read(day, { stationID, date })),
        client.fetchQuery(read(figures, { stationID })),
        import('./share-picture.ts'),
      ]);
      const picture = await drawDay({
        name,
        date: format.dayLong(date),
        produced: { ...format.energyQuantity(sums.today.generationWh), label: t('sites.kpi.produced') },
        facts: factsOf(sums.today),
        day: curves,
        legend: { pv: t('charts.series.pv'), load: t('charts.series.load') },
      });
      const file = new File([picture], `${name} ${date}.png`, { type: 'image/png' });
      if (navigator.canShare?.({ files: [file] })) await navigator.share({ files: [file], title: name });
      else hand(file);
    } catch (error) {
      if (!isChangeOfMind(error)) showNotice({ id: 'share', text: t('sites.share.failed'), color: 'red' });
    } finally {
      setDrawing(false);
    }
  }

  return (
    <IconButton
      aria-label={t('sites.share.day')}
      title={t('sites.share.day')}
      onClick={() => void share()}
      disabled={drawing}
    >
      <IconShare2 size={18} stroke={1.8} aria-hidden="true" />
    </IconButton>
  );
}
