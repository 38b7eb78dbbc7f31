import { IconAlertCircle, IconCircleCheck, IconCircleDashed, IconCircleX, IconLoader2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/show/button.tsx';
import { useFormat } from '../format/use-format.ts';
import styles from './section-ways.module.css';
import { type SectionName, type SectionReport, type SectionState, sections } from './sections.ts';

export type NamedReport = SectionReport & { readonly name: SectionName };

const icons = {
  wrong: IconCircleX,
  waiting: IconLoader2,
  done: IconCircleCheck,
  open: IconAlertCircle,
  optional: IconCircleDashed,
} as const satisfies Record<SectionState, unknown>;

interface SectionListProps {
  reports: readonly NamedReport[];
  step: SectionName;
  onShow: (name: SectionName) => void;
}

/** The sections beside the form, with how each stands. */
export function SectionList({ reports, step, onShow }: SectionListProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <nav className={styles.list} aria-label={t('site-form.sections')}>
      {reports.map(({ name, state, wrong }) => {
        const Icon = icons[state];
        return (
          <button
            key={name}
            type="button"
            className={styles.entry}
            aria-current={name === step ? 'step' : undefined}
            onClick={() => onShow(name)}
          >
            <Icon size={18} className={styles.mark} data-state={state} aria-hidden="true" />
            <span className={styles.name}>{t(`site-form.section.${name}`)}</span>
            <span className={state === 'done' ? 'visually-hidden' : styles.state} data-state={state}>
              {state === 'wrong'
                ? t('site-form.wrong', { number: format.number(wrong) })
                : t(`site-form.state.${state}`)}
            </span>
          </button>
        );
      })}
    </nav>
  );
}

interface StepBarProps {
  reports: readonly NamedReport[];
  step: SectionName;
  /** Steps that were left before. */
  visited: ReadonlySet<SectionName>;
  /** Name of the plant. */
  name: string;
}

/** On a phone: which step this is, and how all of them stand. */
export function StepBar({ reports, step, visited, name }: StepBarProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const state = reports.find((report) => report.name === step)?.state ?? 'open';
  return (
    <div className={styles.bar}>
      <p className={styles.barWords}>
        <strong>
          {t('site-form.step', {
            number: format.number(sections.indexOf(step) + 1),
            total: format.number(sections.length),
            section: t(`site-form.section.${step}`),
          })}
        </strong>
        <span className={styles.state} data-state={state}>
          {t(`site-form.state.${state === 'wrong' ? 'open' : state}`)}
        </span>
        <span className={styles.plant}>{name}</span>
      </p>
      <div className={styles.segments} aria-hidden="true">
        {reports.map((report, at) => (
          <StepSign
            key={report.name}
            number={format.number(at + 1)}
            state={report.state}
            isCurrent={report.name === step}
            wasVisited={visited.has(report.name)}
          />
        ))}
      </div>
    </div>
  );
}

interface StepSignProps {
  number: string;
  state: SectionState;
  isCurrent: boolean;
  wasVisited: boolean;
}

/** A step as it stands: its number until it was visited or filled in, then the sign of its state. */
function StepSign({ number, state, isCurrent, wasVisited }: StepSignProps): ReactNode {
  const Icon = icons[state];
  const isKnown = wasVisited || (state !== 'open' && state !== 'optional');
  return (
    <span
      className={styles.segment}
      data-state={isKnown || isCurrent ? state : undefined}
      data-current={isCurrent || undefined}
    >
      {isKnown && !isCurrent ? <Icon size={20} /> : <span className={styles.number}>{number}</span>}
    </span>
  );
}

interface StepButtonsProps {
  step: SectionName;
  onShow: (name: SectionName) => void;
  /** The button of the last step. */
  send: ReactNode;
}

/** The way through the steps; each may be left as it is. */
export function StepButtons({ step, onShow, send }: StepButtonsProps): ReactNode {
  const { t } = useTranslation();
  const at = sections.indexOf(step);
  const [before, next] = [sections[at - 1], sections[at + 1]];
  return (
    <>
      {before && <Button onClick={() => onShow(before)}>{t('site-form.back')}</Button>}
      {next ? (
        // Its own element: the button that sends would else take the click that leads to it.
        <Button key="next" look="filled" onClick={() => onShow(next)}>
          {t('site-form.next', { section: t(`site-form.section.${next}`) })}
        </Button>
      ) : (
        send
      )}
    </>
  );
}
