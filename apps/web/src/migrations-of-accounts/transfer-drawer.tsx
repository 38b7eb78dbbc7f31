import type { detail, MigrationRow } from '@sonnenwarte/contract/migrations-of-accounts/migrations-of-accounts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { PropertyList } from '../blocks/show/property-list.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { read } from '../client/queries.ts';
import { localZone } from '../format/local-zone.ts';
import { useFormat } from '../format/use-format.ts';
import { PlantMoves } from './plant-moves.tsx';

/** One transfer with the plants that moved. */
export function TransferDrawer({ row, of, onClose, words }: ActionProps<MigrationRow, typeof detail>): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const shown = useQuery(read(of, { migrationID: row.migrationID }));
  return (
    <Dialog title={words.name} opened onClose={onClose} shape="drawer" wide>
      <PropertyList
        items={[
          { label: t('migrations-of-accounts.field.parentAgents'), value: row.parentAgents.join(' › ') },
          {
            label: t('migrations-of-accounts.field.transferredAtMs'),
            value: format.dateTime(row.transferredAtMs, localZone()),
          },
          { label: t('migrations-of-accounts.field.transferCount'), value: format.number(row.transferCount) },
          { label: t('migrations-of-accounts.field.operatedBy'), value: row.operatedBy },
          row.undoneAtMs === null
            ? {
                label: t('migrations-of-accounts.field.undoUntilMs'),
                value: format.dateTime(row.undoUntilMs, localZone()),
              }
            : {
                label: t('migrations-of-accounts.field.undoneAtMs'),
                value: `${format.dateTime(row.undoneAtMs, localZone())} · ${row.undoneBy}`,
              },
        ]}
      />
      <ReadState query={shown}>
        <Skeleton height="8rem" />
      </ReadState>
      {shown.data && <PlantMoves plants={shown.data.plants} />}
    </Dialog>
  );
}
