import { logoAddress, logoTypes, uploadLogo } from '@sonnenwarte/contract/brands/brands';
import { IconPhoto, IconX } from '@tabler/icons-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EndpointForm } from '../blocks/form/endpoint-form.ts';
import { Button } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { upload } from '../client/upload.ts';
import type { BrandValues } from './brand-form.tsx';
import styles from './brands.module.css';

/** The logo of a brand: sent at once, the brand's once it is saved. */
export function LogoField({ form }: { form: EndpointForm<BrandValues, 'brands'> }): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<unknown>();
  const { logo } = form.values;
  const refusal = form.errorOf('logo');
  const send = async (file: File) => {
    setSending(true);
    setError(undefined);
    try {
      form.setValue('logo', (await upload(uploadLogo, {}, file)).logo);
    } catch (failure) {
      setError(failure);
    } finally {
      setSending(false);
    }
  };
  return (
    <fieldset className={styles.logo} aria-describedby={id}>
      <legend>{t('brands.field.logo')}</legend>
      {logo !== '' && <img src={logoAddress(logo)} height={40} alt={t('brands.field.logo')} />}
      <input
        ref={input}
        type="file"
        hidden
        accept={logoTypes.join(',')}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          // The same file can be chosen once more.
          currentTarget.value = '';
          if (file) void send(file);
        }}
      />
      <Button aria-disabled={isSending} onClick={() => !isSending && input.current?.click()}>
        <IconPhoto size={16} aria-hidden="true" />
        {t('brands.logo.choose')}
      </Button>
      {logo !== '' && (
        <Button look="plain" onClick={() => form.setValue('logo', '')}>
          <IconX size={16} aria-hidden="true" />
          {t('brands.logo.remove')}
        </Button>
      )}
      <small id={id}>{isSending ? t('brands.logo.sending') : t('brands.logo.about')}</small>
      {error !== undefined && <ErrorNotice error={error} />}
      {refusal && <span className={styles.error}>{refusal}</span>}
    </fieldset>
  );
}
