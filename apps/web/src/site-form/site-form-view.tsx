import { IconCircleX, IconDeviceFloppy } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RestoredNote } from '../blocks/form/form.tsx';
import { Button } from '../blocks/show/button.tsx';
import { DetailScreen } from '../blocks/show/detail-screen.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import { useFormat } from '../format/use-format.ts';
import { useTab } from '../tabs/tab-context.ts';
import { closeTab } from '../tabs/workspace.ts';
import { ArraysSection } from './arrays-section.tsx';
import { ContactsSection } from './contacts-section.tsx';
import { useModuleChecks } from './module-checks.ts';
import { addModules, ModuleCounts, ModulesSection, typedModule } from './modules-section.tsx';
import { modulesIn } from './pasted-modules.ts';
import { PlaceSection } from './place-section.tsx';
import { PlantSection } from './plant-section.tsx';
import { PricesSection } from './prices-section.tsx';
import { SectionList, StepBar, StepButtons } from './section-ways.tsx';
import { reportOf, type SectionName, type SiteForm, sections } from './sections.ts';
import styles from './site-form.module.css';
import { kWpOf, noModule, type SiteRecord } from './site-values.ts';

interface SiteFormViewProps {
  form: SiteForm;
  title: string;
  submitLabel: string;
  /** The plant that is edited, as it was read. */
  site?: SiteRecord;
  withOwner?: boolean;
  withOrganisation?: boolean;
  /** Is told how many rows of dataloggers are wrong. */
  wrongRows: RefObject<number>;
  /** Stands above the sections. */
  notice?: ReactNode;
}

/** The plant form: all sections in a column, on a phone one after the other. */
export function SiteFormView(props: SiteFormViewProps): ReactNode {
  const { form, title, submitLabel, site, withOwner = false, withOrganisation = false, wrongRows, notice } = props;
  const { t } = useTranslation();
  const phone = useIsPhone();
  const modules = useModuleChecks(form.values.modules);
  const { checks, again } = modules;
  wrongRows.current = checks.filter(({ state }) => state === 'wrong').length;
  const [step, setStep] = useState<SectionName>('plant');
  const parts = useRef(new Map<SectionName, HTMLElement>());
  const hasModules = (site?.modules.length ?? 0) > 0;
  const reports = sections.map((name) => {
    const report = reportOf(name, form, checks);
    const isDone = name === 'modules' && report.state === 'optional' && hasModules;
    return { name, ...report, ...(isDone && { state: 'done' as const }) };
  });
  const wrong = reports.reduce((sum, report) => sum + report.wrong, 0);
  const firstWrong = reports.find((report) => report.wrong > 0)?.name;

  const [wanted, setWanted] = useState<{ name: SectionName; fromTop: boolean }>();
  const [visited, setVisited] = useState<ReadonlySet<SectionName>>(() => new Set());
  const show = (name: SectionName) => {
    setVisited((known) => new Set([...known, step]));
    setStep(name);
    setWanted({ name, fromTop: phone });
  };
  // A section that was hidden can have the focus once it is drawn.
  useEffect(() => {
    const part = wanted && parts.current.get(wanted.name);
    if (!part) return;
    const refused = part.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (wanted.fromTop) scrollTo({ top: 0 });
    else part.scrollIntoView({ block: 'start' });
    (refused ?? part).focus({ preventScroll: !refused });
  }, [wanted]);

  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each try
  useEffect(() => {
    if (tries === 0) return;
    // What the server refused is looked at again, so that its row says why.
    again(({ sn }) =>
      form.values.modules.some(
        (row, at) =>
          row.sn === sn &&
          [form.errorOf(`modules.${at}.sn`), form.errorOf(`modules.${at}.key`)].some((text) => text !== undefined),
      ),
    );
    // The form itself has led to the first refused field, where that is drawn.
    const isLed = document.activeElement?.getAttribute('aria-invalid') === 'true';
    if (firstWrong && !isLed) show(firstWrong);
  }, [tries]);

  const submit = async () => {
    // Rows take over what is typed in them when they are left.
    const active = document.activeElement;
    if (active instanceof HTMLElement) {
      active.blur();
      active.focus({ preventScroll: true });
    }
    const typed = typedModule(form.values);
    addModules(form, [typed, ...modulesIn(form.values.pasted)]);
    if (typed.sn !== '') form.setValue('entry', noModule);
    if (form.values.pasted !== '') form.setValue('pasted', '');
    await form.submit();
    setTries((count) => count + 1);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      void submit();
    } else if (event.target instanceof HTMLInputElement) {
      // A long form is not sent by the key that ends a line.
      event.preventDefault();
    }
  };

  const content: Record<SectionName, ReactNode> = {
    plant: <PlantSection form={form} withOrganisation={withOrganisation} />,
    place: <PlaceSection form={form} />,
    arrays: <ArraysSection form={form} />,
    prices: <PricesSection form={form} site={site} />,
    modules: <ModulesSection form={form} of={modules} linked={site?.modules ?? []} />,
    contacts: <ContactsSection form={form} withOwner={withOwner} />,
  };
  const summaries: Partial<Record<SectionName, ReactNode>> = {
    arrays: <ArraySums form={form} />,
    modules: <ModuleCounts checks={checks} />,
  };
  const send = (
    <Button key="send" type="submit" look="filled" aria-disabled={form.busy}>
      {submitLabel}
    </Button>
  );
  return (
    <DetailScreen
      title={title}
      aside={
        form.dirty && (
          <span className={styles.draft}>
            <IconDeviceFloppy size={18} aria-hidden="true" /> {t('site-form.draftKept')}
          </span>
        )
      }
    >
      <form
        ref={form.element}
        className={styles.form}
        data-phone={phone || undefined}
        aria-label={title}
        aria-busy={form.busy}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
        onKeyDown={onKeyDown}
      >
        {phone ? (
          <StepBar reports={reports} step={step} visited={visited} name={form.values.name} />
        ) : (
          <SectionList reports={reports} step={step} onShow={show} />
        )}
        <div className={styles.column}>
          {notice}
          <RestoredNote form={form} />
          {sections.map((name) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: only notices where the focus is
            <div
              key={name}
              ref={(part) => {
                if (part) parts.current.set(name, part);
              }}
              className={styles.part}
              tabIndex={-1}
              hidden={phone && step !== name}
              onFocus={() => setStep(name)}
            >
              <Panel
                title={t(`site-form.section.${name}`)}
                {...(summaries[name] !== undefined && {
                  actions: <span className={styles.summary}>{summaries[name]}</span>,
                })}
              >
                {content[name]}
              </Panel>
            </div>
          ))}
        </div>
        <Foot form={form} wrong={wrong} onJump={() => firstWrong && show(firstWrong)}>
          {phone ? <StepButtons step={step} onShow={show} send={send} /> : send}
        </Foot>
      </form>
    </DetailScreen>
  );
}

/** Installed power of the arrays, beside what the inverters can take. */
function ArraySums({ form }: { form: SiteForm }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { arrays, ratedPowerW } = form.values;
  if (arrays.length === 0) return null;
  return [
    t('site-form.array.count', { number: format.number(arrays.length) }),
    format.capacity(kWpOf(arrays), 2),
    ...(typeof ratedPowerW === 'number' ? [t('site-form.array.rated', { power: format.power(ratedPowerW) })] : []),
  ].join(' · ');
}

interface FootProps {
  form: SiteForm;
  wrong: number;
  onJump: () => void;
  children: ReactNode;
}

/** What is done with the form, and what is still wrong with it. */
function Foot({ form, wrong, onJump, children }: FootProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { id } = useTab();
  const [asking, setAsking] = useState(false);
  const leave = () => {
    form.discard();
    closeTab(id);
  };
  return (
    <div className={styles.foot}>
      {form.failure !== undefined && <ErrorNotice error={form.failure} />}
      {asking ? (
        <div className={styles.buttons} role="alert">
          <span>{t('blocks.form.dropChanges')}</span>
          <Button look="danger" onClick={leave}>
            {t('blocks.form.drop')}
          </Button>
          <Button autoFocus onClick={() => setAsking(false)}>
            {t('blocks.form.keepEditing')}
          </Button>
        </div>
      ) : (
        <div className={styles.buttons}>
          {children}
          <Button onClick={() => (form.dirty ? setAsking(true) : leave())}>{t('blocks.cancel')}</Button>
          {wrong > 0 && (
            <button type="button" className={styles.jump} onClick={onJump}>
              <IconCircleX size={20} aria-hidden="true" /> {t('site-form.wrong', { number: format.number(wrong) })}
            </button>
          )}
          <span className={styles.keys}>{t('site-form.keys')}</span>
        </div>
      )}
    </div>
  );
}
