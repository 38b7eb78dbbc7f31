import type { PhraseLanguage } from './languages.ts';

/** Offers a page in each language, in that language: shown before its texts are there. */
export const languageOffers: Readonly<Record<PhraseLanguage, string>> = {
  de: 'Diese Seite auf Deutsch anzeigen',
  en: 'Show this page in English',
  cs: 'Zobrazit tuto stránku v češtině',
  es: 'Mostrar esta página en español',
  fr: 'Afficher cette page en français',
  it: 'Mostra questa pagina in italiano',
  pl: 'Pokaż tę stronę po polsku',
  pt: 'Mostrar esta página em português',
  ro: 'Afișați această pagină în română',
  ko: '이 페이지를 한국어로 보기',
  zh_CN: '以简体中文显示此页面',
};
