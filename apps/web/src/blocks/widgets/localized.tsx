import type { ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { useFormat } from '../../format/use-format.ts';

/** Widgets within speak and write as the interface does, not as the browser. */
export function Localized({ children }: { children: ReactNode }) {
  const { locale } = useFormat();
  return <I18nProvider locale={locale}>{children}</I18nProvider>;
}
