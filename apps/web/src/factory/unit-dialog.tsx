import type { UnitRow, unitList } from '@sonnenwarte/contract/factory/units';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { PropertyList } from '../blocks/show/property-list.tsx';
import { useFormat } from '../format/use-format.ts';
import { Day, FirmwareCell, SeenMark, ThingLink, WarrantyMark } from './unit-cells.tsx';
import { useSeesUncreated } from './unit-list.tsx';

/** All that is known of a unit. */
export function UnitDialog({ row, onClose }: ActionProps<UnitRow, typeof unitList>): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const sees = useSeesUncreated();
  const { sn, odmSN, kind, model, batch, manufacturer, deliveredOn, firmware, seenMs } = row;
  return (
    <Dialog title={sn} opened onClose={onClose} shape="drawer">
      <PropertyList
        items={[
          { label: t('factory.units.field.odmSN'), value: odmSN },
          { label: t('factory.units.field.kind'), value: t(`factory.kind.${kind}`) },
          { label: t('factory.units.field.model'), value: model },
          { label: t('factory.units.field.batch'), value: batch },
          { label: t('factory.units.field.manufacturer'), value: manufacturer },
          { label: t('factory.units.field.deliveredOn'), value: <Day day={deliveredOn} /> },
          { label: t('factory.units.field.firmware'), value: firmware },
          ...(sees
            ? [
                { label: t('factory.units.field.seen'), value: <SeenMark row={row} /> },
                { label: t('factory.units.field.seenMs'), value: seenMs === null ? '' : format.localTime(seenMs) },
                { label: t('factory.units.field.plantName'), value: <ThingLink row={row} /> },
                { label: t('factory.units.field.firmwareNow'), value: <FirmwareCell row={row} /> },
              ]
            : []),
          { label: t('factory.units.field.warranty'), value: <WarrantyMark state={row.warranty} /> },
          {
            label: t('factory.units.field.warrantyFrom'),
            value: (
              <>
                <Day day={row.warrantyFrom} />
                {row.warrantySet && ` (${t('factory.units.warrantySet')})`}
              </>
            ),
          },
          { label: t('factory.units.field.warrantyUntil'), value: <Day day={row.warrantyUntil} /> },
        ]}
      />
    </Dialog>
  );
}
