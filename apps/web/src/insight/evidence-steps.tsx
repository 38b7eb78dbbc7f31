import type { DayEvidence } from '@sonnenwarte/contract/insight/evidence';
import { LEVEL } from '@sonnenwarte/contract/levels';
import { detail } from '@sonnenwarte/contract/sites/sites';
import { IconChartLine, IconPhone } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, ButtonLink } from '../blocks/show/button.tsx';
import { telephoneAddress } from '../blocks/show/contact-links.tsx';
import { openScreen, useOpenRoutes } from '../blocks/show/screen-link.tsx';
import { read } from '../client/queries.ts';
import { useGlobalState } from '../state/global-state.ts';

/** What can be done now: look at the device's own values of the day, and call who can help. */
export function NextSteps({ told }: { told: DayEvidence }): ReactNode {
  const { t } = useTranslation();
  const isOpen = useOpenRoutes();
  const isOwner = useGlobalState((state) => state.access === LEVEL.endUser);
  const { data: site } = useQuery(read(detail, { stationID: told.stationID }));
  const device = deviceOf(told);
  const phone = (isOwner ? site?.installerContact.phone : site?.user.phone) ?? '';
  const look = () =>
    device &&
    openScreen({
      to: 'device-inverter-detail',
      query: { id: device.deviceID, date: told.day, values: device.values.join(',') },
    });
  return (
    <>
      {device && isOpen('device-inverter-detail') && (
        <Button look="filled" onClick={look}>
          <IconChartLine size={16} aria-hidden="true" />
          {t('insight.evidence.deviceCurve')}
        </Button>
      )}
      {phone !== '' && (
        <ButtonLink href={telephoneAddress(phone)} title={phone}>
          <IconPhone size={16} aria-hidden="true" />
          {t(isOwner ? 'sites.ask.call' : 'insight.evidence.callOwner')}
        </ButtonLink>
      )}
    </>
  );
}

/** The inverter that the likeliest reason names, else the first; with the currents that tell it. */
function deviceOf({ strings, reasons }: DayEvidence): { deviceID: string; values: string[] } | undefined {
  const named = reasons.flatMap(({ reason: { evidence } }) => ('device' in evidence ? [evidence.device] : []));
  const found = strings.find(({ deviceSN }) => named.includes(deviceSN)) ?? strings[0];
  if (found === undefined) return undefined;
  const values = found.rows.map(({ kind, n }) => (kind === 'string' ? `DC/String${n}/Current` : `DC/Mppt${n}/Power`));
  return { deviceID: found.deviceID, values };
}
