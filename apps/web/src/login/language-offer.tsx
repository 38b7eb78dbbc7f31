import type { Language } from '@sonnenwarte/contract/languages';
import { languageOffers } from '@sonnenwarte/phrases/language-offers';
import { IconLanguage } from '@tabler/icons-react';
import { showLanguage } from '../language/i18n.ts';
import { useGlobalState } from '../state/global-state.ts';
import { whileGlobalLoading } from '../state/loading.ts';
import styles from './language-offer.module.css';
import { preferredLanguage } from './preferred-language.ts';

/** Offers the visitor's own language in one line of it, where the page is in another. */
export function LanguageOffer({ onChosen }: { onChosen?: ((language: Language) => void) | undefined }) {
  const shown = useGlobalState((state) => state.language);
  const offered = preferredLanguage(navigator.languages);
  if (offered === undefined || offered === shown) return null;
  const tag = offered.replace('_', '-');
  return (
    <button
      type="button"
      lang={tag}
      className={styles.offer}
      onClick={() => void whileGlobalLoading(() => showLanguage(offered)).then(() => onChosen?.(offered))}
    >
      <IconLanguage size={18} aria-hidden="true" />
      {languageOffers[offered]}
    </button>
  );
}
