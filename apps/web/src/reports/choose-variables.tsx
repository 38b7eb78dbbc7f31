import { MOST_REPORT_VARIABLES, plantVariables } from '@sonnenwarte/contract/reports/report';
import { variables as variablesCall } from '@sonnenwarte/contract/reports/reports';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import checkBox from '../blocks/form/check-box.module.css';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { Button } from '../blocks/show/button.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { read } from '../client/queries.ts';
import { usePointTexts } from '../devices/point-text.ts';
import type { ReportValues } from './report-values.ts';
import styles from './reports.module.css';
import { useVariableNames } from './use-variable-names.ts';
import variablesStyles from './variables.module.css';

interface ChooseVariablesProps {
  values: ReportValues;
  onChange: (variables: string[]) => void;
  onClose: () => void;
}

/** What there is to choose, as it is called and with its unit; those of a kind of device together. */
function useOffers({ source, deviceIDs }: ReportValues) {
  const { t } = useTranslation();
  const nameOf = useVariableNames();
  const texts = usePointTexts();
  const ofDevices = source === 'devices';
  const query = useQuery({ ...read(variablesCall, { deviceIDs: [...deviceIDs] }), enabled: ofDevices });
  if (!ofDevices) {
    const offers = plantVariables.map((key) => ({ key: key as string, label: nameOf(key), unit: '', group: '' }));
    return { query, offers };
  }
  const offers = (query.data?.variables ?? []).map(({ kind, variable, unit }) => ({
    key: `${kind}:${variable}`,
    label: texts.label(variable),
    unit: unit === '%' ? unit : texts.value(0, unit).unit,
    group: t(`sites.kind.${kind}`),
  }));
  return {
    query,
    offers: offers.toSorted(
      (one, other) =>
        one.group.localeCompare(other.group) || one.label.localeCompare(other.label, undefined, { numeric: true }),
    ),
  };
}

/** The values of a report; what is ticked is in its preview at once. */
export function ChooseVariables({ values, onChange, onClose }: ChooseVariablesProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const [sought, setSought] = useState('');
  const { query, offers } = useOffers(values);
  const chosen = values.variables;
  const isFull = chosen.length >= MOST_REPORT_VARIABLES;
  const text = sought.trim().toLocaleLowerCase();
  const shown = offers.filter(
    ({ key, label }) => label.toLocaleLowerCase().includes(text) || key.toLocaleLowerCase().includes(text),
  );
  const groups = [...Map.groupBy(shown, ({ group }) => group)];
  return (
    <Dialog
      title={t('reports.form.variables')}
      opened
      shape="drawer"
      onClose={onClose}
      footer={
        <Button look="filled" wide onClick={onClose}>
          {t('reports.form.ready')}
        </Button>
      }
    >
      <div className={styles.chooser}>
        <label className={variablesStyles.sought} htmlFor={id}>
          {t('reports.form.searchVariable')}
          <input
            id={id}
            type="search"
            value={sought}
            maxLength={64}
            onChange={(event) => setSought(event.currentTarget.value)}
          />
        </label>
        <p role="status" className={styles.reason}>
          {isFull ? t('reports.form.mostVariables', { most: MOST_REPORT_VARIABLES }) : ''}
        </p>
        {values.source === 'devices' && (
          <ReadState query={query}>
            <Skeleton height="12rem" />
          </ReadState>
        )}
        {offers.length > 0 && shown.length === 0 && <EmptyState text={t('reports.form.noVariable')} />}
        {groups.map(([group, of]) => (
          <fieldset key={group} className={variablesStyles.variables}>
            <legend className={group === '' ? 'visually-hidden' : undefined}>
              {group === '' ? t('reports.form.variables') : group}
            </legend>
            {of.map(({ key, label, unit }) => {
              const checked = chosen.includes(key);
              return (
                <label key={key}>
                  <input
                    type="checkbox"
                    className={checkBox.box}
                    checked={checked}
                    disabled={!checked && isFull}
                    onChange={() => onChange(checked ? chosen.filter((each) => each !== key) : [...chosen, key])}
                  />
                  <span>{label}</span>
                  <small>{unit}</small>
                </label>
              );
            })}
          </fieldset>
        ))}
      </div>
    </Dialog>
  );
}
