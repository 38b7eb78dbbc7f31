import { errno } from '@sonnenwarte/contract/errors';
import { makeCode, type transfer } from '@sonnenwarte/contract/migrations-of-accounts/migrations-of-accounts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { usePermit } from '../blocks/actions/can.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { TextField } from '../blocks/form/fields.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { Button } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { call } from '../client/call.ts';
import { serverNowMs } from '../client/clock.ts';
import { ApiError } from '../client/failures.ts';
import { formatTimeSeconds } from '../format/dates.ts';
import { localZone } from '../format/local-zone.ts';
import { useFormat } from '../format/use-format.ts';
import { showNotice } from '../notices/notices.ts';
import type { TransferPlan } from './migration-actions.tsx';
import styles from './migrations.module.css';

interface Shown {
  codeID: string;
  code: string;
  expiresAtMs: number;
}

/** Shows the code, takes it back from the keyboard, and transfers. */
export function CodeDialog({ row, of, onClose }: ActionProps<TransferPlan, typeof transfer>): ReactNode {
  const { plan, onChanged, onMoved } = row;
  const { t } = useTranslation();
  const format = useFormat();
  const [shown, setShown] = useState<Shown>();
  const [failure, setFailure] = useState<unknown>();
  const expired = useExpired(shown?.expiresAtMs);
  const { source, target, seen } = plan;
  const mayMake = usePermit()(makeCode);

  const ask = useCallback(async () => {
    if (!mayMake) return;
    setFailure(undefined);
    setShown(undefined);
    try {
      const input = { sourceID: source.accountID, targetID: target.accountID, seen };
      setShown(await call(mayMake, input, { inPlace: true }));
    } catch (error) {
      setFailure(error);
    }
  }, [mayMake, source, target, seen]);

  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    void ask();
  }, [ask]);

  const form = useEndpointForm(of, {
    initialValues: { code: '' },
    draft: false,
    prepare: ({ code }) => ({ codeID: shown?.codeID ?? '', code }),
    check: ({ code }) =>
      code.trim() !== '' && code.trim().toUpperCase() !== shown?.code
        ? { code: t('migrations-of-accounts.code.inconsistent') }
        : {},
    onDone: ({ migrationID }) => {
      showNotice({ id: `transfer ${migrationID}`, text: t('migrations-of-accounts.success'), color: 'brand' });
      onMoved();
    },
  });

  const outdated = [failure, form.failure].some(
    (error) => error instanceof ApiError && error.errno === errno.migrationSitesChanged,
  );
  return (
    <FormDialog
      form={form}
      opened
      onClose={onClose}
      title={t('migrations-of-accounts.code.title')}
      submitLabel={t('migrations-of-accounts.code.submit')}
      danger
    >
      <p>
        {source.user} → {target.user}
        <br />
        {t('migrations-of-accounts.form.plantsOf', { number: format.number(plan.sites.length) })}
      </p>
      <p className={styles.warning}>
        <IconAlertTriangle size={18} aria-hidden="true" />
        {t('migrations-of-accounts.warning')}
      </p>
      {failure !== undefined && <ErrorNotice error={failure} {...(!outdated && { retry: () => void ask() })} />}
      {outdated && (
        <Button
          onClick={() => {
            onClose();
            onChanged();
          }}
        >
          {t('common.retry')}
        </Button>
      )}
      {shown && (
        <div className={styles.displayed}>
          <span className={styles.note}>{t('migrations-of-accounts.code.displayed')}</span>
          <output className={styles.code}>{shown.code}</output>
          <span className={styles.note} role={expired ? 'alert' : undefined}>
            {expired
              ? t('migrations-of-accounts.code.expired')
              : t('migrations-of-accounts.code.validUntil', {
                  time: formatTimeSeconds(shown.expiresAtMs, localZone(), format.locale),
                })}
          </span>
          <Button small onClick={() => void ask()}>
            {t('migrations-of-accounts.code.renew')}
          </Button>
        </div>
      )}
      <TextField form={form} name="code" label={t('migrations-of-accounts.code.tip')} autoFocus />
    </FormDialog>
  );
}

/** Whether an instant of the server's clock has passed. */
function useExpired(atMs: number | undefined): boolean {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    setPassed(false);
    if (atMs === undefined) return;
    const timer = setTimeout(() => setPassed(true), Math.max(0, atMs - serverNowMs()));
    return () => clearTimeout(timer);
  }, [atMs]);
  return passed;
}
