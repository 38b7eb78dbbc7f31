import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './sites.module.css';

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
    screen?.querySelector(`[data-section="${name}"]`)?.scrollIntoView({ block: 'start' });
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
