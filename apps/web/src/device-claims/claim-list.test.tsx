import {
  type ClaimDecision,
  claimDecisions,
  type DeviceClaim,
} from '@sonnenwarte/contract/device-claims/device-claims';
import { LEVEL } from '@sonnenwarte/contract/levels';
import { phraseLanguages } from '@sonnenwarte/phrases/languages';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createInstance, type i18n } from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { beforeAll, describe, expect, test } from 'vitest';
import { globalState } from '../state/global-state.ts';
import { TabContext } from '../tabs/tab-context.ts';
import { allTexts } from '../testing/all-texts.ts';
import { ClaimList } from './claim-list.tsx';
import { sidesOf } from './claim-words.ts';

const claim: DeviceClaim = {
  id: 'c1',
  deviceSN: 'INV-1',
  state: 'open',
  claimedMs: 0,
  holder: { stationID: 'holder', plantName: 'Lindenblick', moduleSN: '990000000000001', lastSeenMs: null },
  claimant: { stationID: 'claimant', plantName: 'Werkstatt', moduleSN: '990000000000777', lastSeenMs: null },
  can: { keep: true, release: true, separate: true },
};
const kept: DeviceClaim = { ...claim, state: 'kept', can: { keep: false, release: true, separate: true } };
const unknownClaimant: DeviceClaim = {
  ...claim,
  claimant: { stationID: null, plantName: null, moduleSN: '…0777', lastSeenMs: null },
};

const texts = new Map<string, i18n>();
beforeAll(async () => {
  globalState.set({ access: LEVEL.admin, buttonPermissions: ['site:edit'] });
  for (const language of phraseLanguages) {
    const instance = createInstance();
    await instance.init({
      lng: language,
      nsSeparator: false,
      resources: { [language]: { translation: allTexts(language) } },
      interpolation: { escapeValue: false },
    });
    texts.set(language, instance);
  }
});
const textsOf = (language: string): i18n => texts.get(language) as i18n;

/** The notice as it stands on the page of a plant. */
function shown(of: DeviceClaim, language: string, stationID = 'holder'): string {
  const tab = { id: 'a', name: 'plant-detail', query: { id: stationID }, active: true } as const;
  return renderToStaticMarkup(
    <I18nextProvider i18n={textsOf(language)}>
      <QueryClientProvider client={new QueryClient()}>
        <TabContext value={tab}>
          <ClaimList claims={[of]} />
        </TabContext>
      </QueryClientProvider>
    </I18nextProvider>,
  );
}
const buttonsOf = (html: string): string[] =>
  [...html.matchAll(/<button[^>]*>(.*?)<\/button>/g)].map(([, text = '']) => text);

describe.each(phraseLanguages)('in %s', (language) => {
  const said = (of: DeviceClaim, decision: ClaimDecision, part: 'question' | 'meaning' | 'done') => {
    const { t } = textsOf(language);
    return t(`device-claims.decision.${decision}.${part}`, sidesOf(t, of));
  };

  test('the button that leaves the number names the plant that has it, the one that gives it the plant that claims it', () => {
    const [keep, release, separate] = buttonsOf(shown(claim, language));
    expect(keep).toContain('Lindenblick');
    expect(keep).not.toContain('Werkstatt');
    expect(release).toContain('Werkstatt');
    expect(release).not.toContain('Lindenblick');
    expect(separate).toBeDefined();
    expect(shown(claim, language, 'claimant')).toBe(shown(claim, language, 'holder'));
  });

  test('what will be and what was done name the plants; one that one may not know is named by its datalogger', () => {
    for (const decision of claimDecisions) {
      expect(said(claim, decision, 'meaning')).toMatch(/Lindenblick.*Werkstatt|Werkstatt.*Lindenblick/);
      expect(said(unknownClaimant, decision, 'meaning')).toContain('…0777');
    }
    expect(said(claim, 'keep', 'done')).toContain('Lindenblick');
    expect(said(claim, 'release', 'done')).toContain('Werkstatt');
    expect(buttonsOf(shown(unknownClaimant, language))[1]).toContain('…0777');
  });

  test('each question is one of its own and names the number', () => {
    const questions = claimDecisions.map((decision) => said(claim, decision, 'question'));
    expect(new Set(questions).size).toBe(claimDecisions.length);
    for (const question of questions) expect(question).toMatch(/INV-1.*[?？]$/);
  });

  test('what was decided is not asked any more: the notice says it, and can still be overruled', () => {
    const { t } = textsOf(language);
    const html = shown(kept, language);
    expect(html).toContain(t('device-claims.decided', { sn: 'INV-1' }));
    expect(html).not.toContain(t('device-claims.title', { sn: 'INV-1' }));
    expect(html).not.toContain(shown(claim, language).match(/<p>(.*?)<\/p>/)?.[1]);
    expect(html).toMatch(/<p>[^<]*Lindenblick[^<]*990000000000777[^<]*<\/p>/);
    expect(buttonsOf(html)).toHaveLength(2);
  });
});
