import type { OrderEntry } from '@sonnenwarte/contract/work-orders/work-order';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { IconButton } from '../blocks/show/button.tsx';
import { useFormat } from '../format/use-format.ts';
import { PictureImage } from './picture-image.tsx';
import styles from './pictures.module.css';

/** Pictures of an entry, small; each opens large. */
export function Pictures({ pictures }: Pick<OrderEntry, 'pictures'>): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const [shown, setShown] = useState<number>();
  if (pictures.length === 0) return null;
  return (
    <>
      <ul className={styles.pictures}>
        {pictures.map(({ pictureID }, place) => (
          <li key={pictureID}>
            <button
              type="button"
              className={styles.picture}
              aria-label={t('work-orders.picture.show', { number: format.number(place + 1) })}
              onClick={() => setShown(place)}
            >
              <PictureImage id={pictureID} size="thumb" alt="" />
            </button>
          </li>
        ))}
      </ul>
      {shown !== undefined && <LargePicture pictures={pictures} shown={shown} onShow={setShown} />}
    </>
  );
}

interface LargeProps extends Pick<OrderEntry, 'pictures'> {
  shown: number;
  onShow: (place: number | undefined) => void;
}

function LargePicture({ pictures, shown, onShow }: LargeProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const picture = pictures[shown];
  if (picture === undefined) return null;
  const title = t('work-orders.picture.title', {
    number: format.number(shown + 1),
    count: pictures.length,
  });
  const lead = (step: number) => onShow((shown + step + pictures.length) % pictures.length);
  return (
    <Dialog title={title} opened onClose={() => onShow(undefined)} wide="twice">
      <Arrows onStep={lead} />
      <div className={styles.large}>
        <PictureImage
          key={picture.pictureID}
          id={picture.pictureID}
          size="full"
          alt={title}
          width={picture.width}
          height={picture.height}
        />
        {pictures.length > 1 && (
          <div className={styles.turn}>
            <IconButton aria-label={t('work-orders.picture.previous')} onClick={() => lead(-1)}>
              <IconChevronLeft size={20} aria-hidden="true" />
            </IconButton>
            <IconButton aria-label={t('work-orders.picture.next')} onClick={() => lead(1)}>
              <IconChevronRight size={20} aria-hidden="true" />
            </IconButton>
          </div>
        )}
      </div>
    </Dialog>
  );
}

/** Left and right lead from picture to picture. */
function Arrows({ onStep }: { onStep: (step: number) => void }): ReactNode {
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'ArrowLeft') onStep(-1);
      if (key === 'ArrowRight') onStep(1);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
  return null;
}
