import { originOfDatalogger, originOfDevice } from '@sonnenwarte/contract/factory/units';
import { LEVEL } from '@sonnenwarte/contract/levels';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Property, PropertyList } from '../blocks/show/property-list.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { read } from '../client/queries.ts';
import type { CalendarDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import { useGlobalState } from '../state/global-state.ts';
import { Day, WarrantyMark } from './unit-cells.tsx';

export type OriginOfProps = { readonly deviceID: string } | { readonly moduleID: string };

/** Until when a device or a datalogger is warranted, and for administrators its batch; without either nothing. */
export function OriginOf(of: OriginOfProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const isAsked = useGlobalState(({ access }) => access !== LEVEL.integrator);
  const { data } = useQuery({
    ...('deviceID' in of
      ? read(originOfDevice, { deviceID: of.deviceID }, { quiet: true })
      : read(originOfDatalogger, { moduleID: of.moduleID }, { quiet: true })),
    enabled: isAsked,
  });
  if (!data || (data.warranty === null && data.unit === null)) return null;
  const { warranty, unit } = data;
  const items: Property[] = [
    ...(warranty === null
      ? []
      : [
          {
            label: t('factory.units.field.warrantyUntil'),
            value: (
              <>
                {format.day(warranty.until as CalendarDay)} <WarrantyMark state={warranty.state} />
              </>
            ),
          },
        ]),
    ...(unit === null
      ? []
      : [
          { label: t('factory.units.field.manufacturer'), value: unit.manufacturer },
          {
            label: t('factory.units.field.batch'),
            value: (
              <ScreenLink to="factory" query={{ 'condition.batchID': unit.batchID }}>
                {unit.batch}
              </ScreenLink>
            ),
          },
          { label: t('factory.units.field.deliveredOn'), value: <Day day={unit.deliveredOn} /> },
          { label: t('factory.units.field.firmware'), value: unit.firmware },
        ]),
  ];
  return <PropertyList items={items} />;
}
