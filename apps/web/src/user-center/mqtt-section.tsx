import { MOST_TOLD_DEVICES, type MqttAccess, setEnabled, state } from '@sonnenwarte/contract/user-center/mqtt-access';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { Toggle } from '../blocks/form/toggle.tsx';
import { CopyField } from '../blocks/show/copy-field.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import parts from '../blocks/show/section.module.css';
import { Section } from '../blocks/show/section.tsx';
import { read, useWrite } from '../client/queries.ts';
import { mqttActions } from './renewal-actions.tsx';
import styles from './user-center.module.css';

const TRUST_OF_SYSTEM = ' --capath /etc/ssl/certs';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const topicsOf = (sn: string): string[] => [`spBv1.0/solar/+/${sn}/#`, `pv/v1/${sn}/#`];

function tryLine({ user, host, port, clientID, sn }: Record<'user' | 'host' | 'port' | 'clientID' | 'sn', string>) {
  const topics = topicsOf(sn).map((topic) => `-t ${quoted(topic)}`);
  const who = `-i ${clientID} -u ${quoted(user)} -P "$API_KEY"`;
  return `mosquitto_sub -h ${host} -p ${port} ${who} ${topics.join(' ')} -F '%I %t %l'`;
}

/** Reading the own dataloggers' messages at the broker. */
export function MqttSection({ user }: { user: string }) {
  const { t } = useTranslation();
  const query = useQuery(read(state, {}));
  const { data } = query;
  const switching = useWrite(setEnabled, { inPlace: true });
  const isHere = data?.broker === 'embedded';
  return (
    <Section
      title={t('user-center.section.mqtt')}
      lead={t(data?.broker === 'external' ? 'user-center.mqtt.external' : 'user-center.mqtt.lead')}
      actions={data && <ActionButtons table={mqttActions} row={data} />}
    >
      <ReadState query={query}>
        <Skeleton height="4rem" />
      </ReadState>
      {isHere && <p>{t('user-center.mqtt.homeAssistant.lead')}</p>}
      {switching.error && <ErrorNotice error={switching.error} />}
      {isHere && (
        <Toggle
          label={t('user-center.mqtt.switch')}
          checked={data.enabled}
          busy={switching.isPending}
          onChange={(enabled) => switching.mutate({ enabled })}
        />
      )}
      {isHere && data.enabled && <Connection access={data} user={user} />}
    </Section>
  );
}

function Connection({ access, user }: { access: MqttAccess; user: string }) {
  const { t } = useTranslation();
  const { clientID, port, secure, dataloggerSN: sn } = access;
  const host = location.hostname;
  return (
    <>
      <div className={styles.pairs}>
        <CopyField label={t('user-center.mqtt.host')} value={host} />
        <CopyField label={t('user-center.mqtt.port')} value={String(port)} />
        <CopyField label={t('user-center.mqtt.clientId')} value={clientID} />
        <CopyField label={t('user-center.field.user')} value={user} hint={t('user-center.mqtt.password')} />
      </div>
      {sn === null ? (
        <p className={parts.none}>{t('user-center.mqtt.noLogger')}</p>
      ) : (
        <>
          <dl className={styles.texts}>
            <div>
              <dt>{t('user-center.mqtt.topics')}</dt>
              {topicsOf(sn).map((topic) => (
                <dd key={topic}>
                  <code>{topic}</code>
                </dd>
              ))}
            </div>
          </dl>
          <p className={parts.muted}>{t('user-center.mqtt.topicsHint')}</p>
          <CopyField
            label={t('user-center.mqtt.try')}
            value={tryLine({ user, host, port: `${port}${secure ? TRUST_OF_SYSTEM : ''}`, clientID, sn })}
            hint={t('user-center.mqtt.tryHint')}
          />
        </>
      )}
      <section className={styles.homeAssistant}>
        <h3>{t('user-center.mqtt.homeAssistant.title')}</h3>
        <ol>
          <li>{t('user-center.mqtt.homeAssistant.add')}</li>
          <li>{t('user-center.mqtt.homeAssistant.broker')}</li>
          <li>{t('user-center.mqtt.homeAssistant.client')}</li>
        </ol>
        <p className={parts.muted}>{t('user-center.mqtt.homeAssistant.limits', { most: MOST_TOLD_DEVICES })}</p>
      </section>
      <p className={parts.muted}>{t(secure ? 'user-center.mqtt.secure' : 'user-center.mqtt.plain')}</p>
    </>
  );
}
