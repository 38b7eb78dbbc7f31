import type { MessageRow, message } from '@sonnenwarte/contract/test-log/test-log';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { CopyField } from '../blocks/show/copy-field.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { PropertyList } from '../blocks/show/property-list.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { Moment } from './moment.tsx';
import styles from './test-log.module.css';
import { useReason } from './use-reason.ts';

const BYTES_A_LINE = 16;

/** Bytes as people who look for a fault read them: their place, their values, and what of them are letters. */
function dumpOf(hex: string): string {
  const lines: string[] = [];
  for (let at = 0; at < hex.length; at += 2 * BYTES_A_LINE) {
    const bytes = hex.slice(at, at + 2 * BYTES_A_LINE).match(/../g) ?? [];
    const letters = bytes.map((byte) => {
      const code = Number.parseInt(byte, 16);
      return code >= 32 && code < 127 ? String.fromCharCode(code) : '.';
    });
    const place = (at / 2).toString(16).padStart(5, '0');
    lines.push(`${place}  ${bytes.join(' ').padEnd(3 * BYTES_A_LINE - 1)}  ${letters.join('')}`);
  }
  return lines.join('\n');
}

/** One message: what it says, and its bytes. */
export function MessageDrawer({ row, of, onClose, words }: ActionProps<MessageRow, typeof message>): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const reasonOf = useReason();
  const query = useQuery(read(of, { id: row.id }));
  const { data } = query;
  return (
    <Dialog title={words.label} opened onClose={onClose} shape="drawer" wide>
      <PropertyList
        items={[
          {
            label: t('test-log.field.atMs'),
            value: <Moment atMs={row.atMs} />,
          },
          { label: t('test-log.field.direction'), value: t(`test-log.direction.${row.direction}`) },
          { label: t('test-log.field.dataloggerSN'), value: <code className={styles.code}>{row.dataloggerSN}</code> },
          {
            label: t('test-log.field.deviceSN'),
            value: row.deviceSN && <code className={styles.code}>{row.deviceSN}</code>,
          },
          { label: t('test-log.field.sizeBytes'), value: format.number(row.sizeBytes) },
          {
            label: t('test-log.field.refusedFor'),
            value: row.refusedFor && (
              <>
                {reasonOf(row.refusedFor)} <code className={styles.code}>{row.refusedFor}</code>
              </>
            ),
          },
        ]}
      />
      {row.withheld && <p className={styles.note}>{t('test-log.message.withheld')}</p>}
      <ReadState query={query}>
        <Skeleton height="12rem" />
      </ReadState>
      {data && data.values.length > 0 && (
        <section className={styles.part}>
          <h3>{t('test-log.message.values')}</h3>
          <table className={styles.values}>
            <thead>
              <tr>
                <th scope="col">{t('test-log.message.name')}</th>
                <th scope="col">{t('test-log.message.value')}</th>
              </tr>
            </thead>
            <tbody>
              {data.values.map(({ name, value, unit }, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a message may tell a name twice, and never changes
                <tr key={place}>
                  <th scope="row">{name}</th>
                  <td translate="no">{unit === '' ? value : `${value} ${unit}`}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {data && data.text !== '' && <CopyField label={t('test-log.field.text')} value={data.text} />}
      {data && data.hex !== '' && (
        <section className={styles.part}>
          <h3 id="test-log-bytes">{t('test-log.field.hex')}</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
          <section className={styles.dump} tabIndex={0} aria-labelledby="test-log-bytes" translate="no">
            <pre>{dumpOf(data.hex)}</pre>
          </section>
          {data.cutBytes > 0 && (
            <p className={styles.note}>{t('test-log.message.cut', { bytes: format.number(data.cutBytes) })}</p>
          )}
        </section>
      )}
    </Dialog>
  );
}
