import { picture } from '@sonnenwarte/contract/work-orders/pictures';
import { IconPhotoOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fetchFile } from '../client/download.ts';
import styles from './pictures.module.css';

type Size = 'thumb' | 'full';

/** A picture never changes, so it is asked for once; no link could carry the session. */
const pictureQuery = (id: string, size: Size) => ({
  queryKey: ['work-order-picture', id, size],
  queryFn: async () => (await fetchFile(picture, { id, size })).file,
  staleTime: Number.POSITIVE_INFINITY,
});

/** The address of what a file holds, for as long as it is shown. */
function useAddressOf(file: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (file === undefined) return;
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return address;
}

interface PictureProps {
  id: string;
  size: Size;
  alt: string;
  width?: number;
  height?: number;
}

/** A picture of a work order. */
export function PictureImage({ id, size, alt, width, height }: PictureProps): ReactNode {
  const { t } = useTranslation();
  const { data, error } = useQuery(pictureQuery(id, size));
  const address = useAddressOf(data);
  if (error)
    return (
      <span className={styles.notShown} role="img" aria-label={t('work-orders.picture.notShown')}>
        <IconPhotoOff size={24} aria-hidden="true" />
      </span>
    );
  if (address === undefined) return <span className={styles.notShown} aria-hidden="true" />;
  return <img src={address} alt={alt} width={width} height={height} decoding="async" />;
}
