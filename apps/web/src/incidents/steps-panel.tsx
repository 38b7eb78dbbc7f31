import { alarmFactsOf, type StepLink, stepLinks } from '@sonnenwarte/contract/incidents/alarm-facts';
import type { IncidentDetail } from '@sonnenwarte/contract/incidents/incidents';
import { LEVEL } from '@sonnenwarte/contract/levels';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOfPlotted } from '../analysis/address.ts';
import { deviceTarget } from '../blocks/devices/detail-target.ts';
import { Panel } from '../blocks/show/panel.tsx';
import { ScreenLink, type ScreenTarget } from '../blocks/show/screen-link.tsx';
import { useAlarmText } from '../format/alarm-text.ts';
import { useFormat } from '../format/use-format.ts';
import { useGlobalState } from '../state/global-state.ts';
import styles from './incident.module.css';
import { useMayOpen } from './use-may-open.ts';

/** Where a step leads on, if there is such a place of this incident. */
function placeOf(
  link: StepLink,
  { incident, evidence }: IncidentDetail,
  ofIntegrator: boolean,
): ScreenTarget | undefined {
  const { stationID, deviceID, moduleSN, kind } = incident;
  switch (link) {
    case 'analysis': {
      if (evidence === null) return deviceID === '' ? undefined : { to: 'analysis', query: { id: deviceID } };
      const curves = evidence.variables.map((variable) => ({ deviceID: evidence.deviceID, variable }));
      const { day } = evidence;
      return { to: 'analysis', query: queryOfPlotted({ curves, span: 'day', day, compared: undefined }) };
    }
    case 'settings':
      return deviceID === '' ? undefined : { to: 'remote-setting', query: { id: deviceID } };
    case 'device':
      return kind === null ? undefined : deviceTarget({ kind, deviceID }, ofIntegrator);
    case 'datalogger':
      return moduleSN === '' ? undefined : { to: 'device-module', query: { 'condition.content': moduleSN } };
    case 'plant':
      return stationID === '' ? undefined : { to: 'plant-detail', query: { id: stationID } };
  }
}

/** What is to be done, step by step: an owner is told what is safe. */
export function StepsPanel({ data }: { data: IncidentDetail }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const mayOpen = useMayOpen();
  const isOwner = useGlobalState((state) => state.access === LEVEL.endUser);
  const { code } = data.incident;
  const { advice } = useAlarmText()(code);
  const { steps } = alarmFactsOf(code);
  const target = (link: StepLink | undefined): ScreenTarget | undefined => {
    const found = link && placeOf(link, data, !mayOpen('plant-detail'));
    return found && mayOpen(found.to) ? found : undefined;
  };
  return (
    <Panel title={t('incidents.steps.title')}>
      {isOwner ? (
        <p>{advice}</p>
      ) : (
        <ol className={styles.steps}>
          {steps.map((step, at) => {
            const link = stepLinks[step];
            const place = target(link);
            return (
              <li key={step}>
                <span className={styles.number} aria-hidden="true">
                  {format.number(at + 1)}
                </span>
                <span>{t(`alarm-facts.step.${step}`)}</span>
                {link && place && <ScreenLink {...place}>{t(`incidents.steps.link.${link}`)}</ScreenLink>}
              </li>
            );
          })}
        </ol>
      )}
    </Panel>
  );
}
