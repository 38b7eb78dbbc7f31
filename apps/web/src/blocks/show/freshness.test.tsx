import type { DeviceRow } from '@sonnenwarte/contract/devices/device';
import { createInstance } from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { expect, test, vi } from 'vitest';
import { allTexts } from '../../testing/all-texts.ts';
import { SoFar } from './freshness.tsx';

vi.mock('../../live/line-state.ts', () => ({ useLineBroken: () => false }));

test('what a silent device told of today bears the time on the clock of its plant, what a reporting one tells does not', async () => {
  const english = createInstance();
  await english.init({ lng: 'en', nsSeparator: false, resources: { en: { translation: allTexts('en') } } });
  const shown = (state: DeviceRow['state'], wh: number | null) =>
    renderToStaticMarkup(
      <I18nextProvider i18n={english}>
        <SoFar device={{ state, updatedAtMs: Date.UTC(2026, 10, 29, 11, 4), ianaTimezone: 'Asia/Tokyo' }} wh={wh}>
          3.40
        </SoFar>
      </I18nextProvider>,
    ).replaceAll(/<[^>]+>/g, '');
  expect(shown('offline', 3_400)).toMatch(/^until 20:04.* 3\.40$/);
  expect(shown('offline', null)).toBe('3.40');
  expect(shown('normal', 3_400)).toBe('3.40');
});
