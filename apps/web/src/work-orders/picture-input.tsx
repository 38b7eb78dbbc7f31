import { MOST_PICTURES_OF_ENTRY } from '@sonnenwarte/contract/work-orders/work-order';
import { IconCamera, IconPaperclip, IconX } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import { useFormat } from '../format/use-format.ts';
import { PictureImage } from './picture-image.tsx';
import styles from './pictures.module.css';
import { ACCEPTED, type SentPictures } from './use-sent-pictures.ts';

/** Where pictures come in: of the camera of a phone first, and of what is kept. */
export function PictureButtons({ pictures }: { pictures: SentPictures }): ReactNode {
  const { t } = useTranslation();
  const phone = useIsPhone();
  return (
    <span className={styles.inputs}>
      {phone && <PictureButton pictures={pictures} isCamera />}
      <PictureButton pictures={pictures} isCamera={false} />
      <span className="visually-hidden">{t('work-orders.composer.attachHint')}</span>
    </span>
  );
}

function PictureButton({ pictures, isCamera }: { pictures: SentPictures; isCamera: boolean }): ReactNode {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const label = t(isCamera ? 'work-orders.composer.camera' : 'work-orders.composer.attach');
  const Icon = isCamera ? IconCamera : IconPaperclip;
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={ACCEPTED}
        multiple={!isCamera}
        {...(isCamera && { capture: 'environment' as const })}
        onChange={({ currentTarget }) => {
          pictures.add(currentTarget.files ?? []);
          // The same file can be chosen once more.
          currentTarget.value = '';
        }}
      />
      <button
        type="button"
        className={styles.attach}
        aria-label={label}
        title={`${label} (${t('work-orders.composer.attachHint')})`}
        onClick={() => input.current?.click()}
      >
        <Icon size={20} aria-hidden="true" />
      </button>
    </>
  );
}

/** What goes along, what is on its way, and what went wrong. */
export function PictureStrip({ pictures }: { pictures: SentPictures }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { ids, sending, error, isFull, remove } = pictures;
  return (
    <>
      {ids.length > 0 && (
        <ul className={styles.pictures}>
          {ids.map((id, place) => (
            <li key={id} className={styles.sent}>
              <span className={styles.picture}>
                <PictureImage id={id} size="thumb" alt="" />
              </span>
              <button
                type="button"
                aria-label={t('work-orders.picture.remove', { number: format.number(place + 1) })}
                onClick={() => remove(id)}
              >
                <IconX size={16} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className={styles.sending}>
        {sending > 0 && t('work-orders.picture.sending', { count: sending })}
        {isFull && t('work-orders.picture.most', { count: MOST_PICTURES_OF_ENTRY })}
      </p>
      {error !== undefined && <ErrorNotice error={error} />}
    </>
  );
}
