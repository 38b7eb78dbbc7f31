import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './section-links.module.css';

const COMES_WITHIN_MS = 3_000;
const OWN_MOVES = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** Scrolls to a part once it is there, and again where what comes late above moves it away, until somebody moves the page. */
function keepInSight(screen: Element, part: string): void {
  const show = () => screen.querySelector(part)?.scrollIntoView({ block: 'start' });
  show();
  const grown = new ResizeObserver(show);
  const over = new AbortController();
  const end = () => {
    grown.disconnect();
    over.abort();
  };
  grown.observe(screen);
  for (const move of OWN_MOVES) addEventListener(move, end, { signal: over.signal, passive: true });
  setTimeout(end, COMES_WITHIN_MS);
}

/** On a phone: the way to each part of a long plant, always in sight. */
export function SectionLinks(): ReactNode {
  const { t } = useTranslation();
  const nav = useRef<HTMLElement>(null);
  const sections = [
    { name: 'day', label: t('common.span.day') },
    { name: 'energy', label: t('sites.section.energy') },
    { name: 'figures', label: t('sites.section.figures') },
    { name: 'devices', label: t('sites.section.devices') },
  ] as const;
  const leadTo = (name: string): void => {
    const screen = nav.current?.parentElement;
    if (screen) keepInSight(screen, `[data-section="${name}"]`);
  };
  return (
    <nav ref={nav} className={styles.sections} aria-label={t('sites.sections')}>
      {sections.map(({ name, label }) => (
        <button key={name} type="button" onClick={() => leadTo(name)}>
          {label}
        </button>
      ))}
    </nav>
  );
}
