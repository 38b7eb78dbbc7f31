import type { WorkOrderRow } from '@sonnenwarte/contract/work-orders/work-order';
import type { message } from '@sonnenwarte/contract/work-orders/work-orders';
import { IconSend } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import checkStyles from '../blocks/form/check-box.module.css';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { RestoredNote } from '../blocks/form/form.tsx';
import { Segmented } from '../blocks/form/segmented.tsx';
import { isForRows } from '../blocks/list/row-keys.ts';
import { Button } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import type { Permitted } from '../client/permit.ts';
import { useTab } from '../tabs/tab-context.ts';
import { AnswerTemplates } from './answer-templates.tsx';
import composerStyles from './composer.module.css';
import styles from './order.module.css';
import { PictureButtons, PictureStrip } from './picture-input.tsx';
import { useSentPictures } from './use-sent-pictures.ts';

interface ComposerProps {
  of: Permitted<typeof message>;
  order: WorkOrderRow;
}

/** Where one writes: it says before typing who will read it. Switching keeps the text. */
export function Composer({ of, order }: ComposerProps): ReactNode {
  const { t } = useTranslation();
  const phone = useIsPhone();
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [isOver, setOver] = useState(false);
  const form = useEndpointForm(of, {
    initialValues: { id: order.orderID, text: '', internal: false, waits: false, pictureIDs: [] as string[] },
    onDone: () => {
      form.discard();
    },
  });
  const { text, internal, waits, pictureIDs } = form.values;
  const pictures = useSentPictures(pictureIDs, (ids) => form.setValue('pictureIDs', ids));
  const { can, isOwn, asker } = order;
  const answersOther = can.note && !isOwn;
  const write = (isInternal: boolean) => {
    form.setValue('internal', isInternal);
    area.current?.focus();
  };
  useComposerKeys(can.note, write);
  const isEmpty = text.trim() === '' && pictureIDs.length === 0;
  const reader = internal
    ? t('work-orders.composer.readsInternal', { name: asker })
    : answersOther
      ? t('work-orders.composer.readsAnswer', { name: asker })
      : t('work-orders.composer.readsOwn');
  const error = form.errorOf('text');
  return (
    <form
      ref={form.element}
      className={composerStyles.composer}
      data-internal={internal || undefined}
      data-over={isOver || undefined}
      aria-busy={form.busy}
      noValidate
      onSubmit={(event) => {
        if (isEmpty || pictures.sending > 0) event.preventDefault();
        else void form.submit(event);
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        setOver(false);
        pictures.add(event.dataTransfer.files);
      }}
    >
      <RestoredNote form={form} />
      {can.note && (
        <div className={composerStyles.mode}>
          <Segmented
            label={t('work-orders.composer.mode')}
            value={internal ? 'internal' : 'answer'}
            wide={phone}
            options={[
              {
                value: 'answer',
                label: t('work-orders.composer.answer'),
              },
              {
                value: 'internal',
                label: t(phone ? 'work-orders.composer.brief.internal' : 'work-orders.composer.internal'),
              },
            ]}
            onChange={(mode) => form.setValue('internal', mode === 'internal')}
          />
          <AnswerTemplates
            order={order}
            onChosen={(chosen) => {
              form.setValue('text', text.trim() === '' ? chosen : `${text.trimEnd()}\n${chosen}`);
              area.current?.focus();
            }}
          />
        </div>
      )}
      <p id={`${id}-reader`} className={composerStyles.reader}>
        {reader}
      </p>
      <PictureStrip pictures={pictures} />
      <div className={composerStyles.entry}>
        <textarea
          ref={area}
          name="text"
          rows={phone ? 1 : 2}
          value={text}
          aria-label={t('work-orders.composer.label')}
          aria-describedby={`${id}-reader`}
          aria-invalid={error === undefined ? undefined : true}
          placeholder={t(
            internal
              ? 'work-orders.composer.placeholderInternal'
              : phone
                ? 'work-orders.composer.label'
                : 'work-orders.composer.placeholder',
          )}
          onChange={(event) => form.setValue('text', event.currentTarget.value)}
          onPaste={(event) => {
            if (event.clipboardData.files.length === 0) return;
            event.preventDefault();
            pictures.add(event.clipboardData.files);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !isEmpty && pictures.sending === 0) {
              event.preventDefault();
              void form.submit();
            }
          }}
        />
        <PictureButtons pictures={pictures} />
        <Button type="submit" look="filled" aria-disabled={form.busy || isEmpty || pictures.sending > 0}>
          <IconSend size={16} aria-hidden="true" />
          <span className={phone ? 'visually-hidden' : undefined}>{t('work-orders.composer.send')}</span>
        </Button>
      </div>
      {error !== undefined && <p className={styles.error}>{error}</p>}
      {form.failure !== undefined && <ErrorNotice error={form.failure} />}
      {answersOther && can.work && !internal && (
        <label className={composerStyles.waits}>
          <input
            type="checkbox"
            className={checkStyles.box}
            checked={waits}
            onChange={(event) => form.setValue('waits', event.currentTarget.checked)}
          />
          {t('work-orders.composer.waits')}
        </label>
      )}
    </form>
  );
}

/** R answers, N notes; they do nothing in fields, nor while another tab is shown. */
function useComposerKeys(isOffered: boolean, write: (isInternal: boolean) => void): void {
  const { active } = useTab();
  const latest = useRef(write);
  useEffect(() => {
    latest.current = write;
  });
  useEffect(() => {
    if (!isOffered || !active) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if ((key !== 'r' && key !== 'n') || !isForRows(event) || document.querySelector(':modal') !== null) return;
      event.preventDefault();
      latest.current(key === 'n');
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [isOffered, active]);
}
