import { phraseLanguages } from '@sonnenwarte/phrases/languages';
import { createInstance } from 'i18next';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { describe, expect, test } from 'vitest';
import { allTexts } from '../../testing/all-texts.ts';
import { KeyFigure, MarkLegend, QualityMark } from './key-figure.tsx';

describe.each(phraseLanguages)('a mark in %s', (language) => {
  const shown = async (node: ReactNode) => {
    const i18n = createInstance();
    await i18n.init({
      lng: language,
      nsSeparator: false,
      resources: { [language]: { translation: allTexts(language) } },
      interpolation: { escapeValue: false },
    });
    return { html: renderToStaticMarkup(<I18nextProvider i18n={i18n}>{node}</I18nextProvider>), t: i18n.t };
  };

  test('of a card names its figure', async () => {
    const { html, t } = await shown(<KeyFigure label="Generation" value="4" unit="kWh" quality="estimated" />);
    expect(html).toContain(`aria-label="Generation: ${t('states.estimated')}"`);
  });

  test('among many is read out with its figure and no stop of the keyboard; what it means is said once', async () => {
    const marked = await shown(
      <td>
        4 kWh
        <QualityMark quality="estimated" />
      </td>,
    );
    expect(marked.html).not.toContain('<button');
    expect(marked.html.replaceAll(/<[^>]*aria-hidden[^>]*>[^<]*/g, '').replaceAll(/<[^>]*>/g, '')).toBe(
      `4 kWh, ${marked.t('states.estimated')}`,
    );
    const { html, t } = await shown(<MarkLegend qualities={['estimated', 'measured', 'estimated']} />);
    expect(html.split(t('sites.quality.estimated'))).toHaveLength(2);
    expect(html).not.toContain(t('sites.quality.corrected'));
    expect((await shown(<MarkLegend qualities={['measured']} />)).html).toBe('');
  });
});
