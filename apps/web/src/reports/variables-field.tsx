import { IconPlus, IconX } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChooseVariables } from './choose-variables.tsx';
import type { ReportValues } from './report-values.ts';
import styles from './reports.module.css';
import { useVariableNames } from './use-variable-names.ts';
import variablesStyles from './variables.module.css';

interface VariablesFieldProps {
  values: ReportValues;
  error: string | undefined;
  onChange: (variables: string[]) => void;
}

/** The values of a report as chips, each to be taken out again, and the way to further ones. */
export function VariablesField({ values, error, onChange }: VariablesFieldProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const nameOf = useVariableNames();
  const [opened, setOpened] = useState(false);
  const lacksDevices = values.source === 'devices' && values.deviceIDs.length === 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot lay out its legend
    <div role="group" aria-labelledby={`${id}-label`} className={styles.field}>
      <span id={`${id}-label`} className={styles.label}>
        {t('reports.field.variables')}
      </span>
      <div className={variablesStyles.chips}>
        {values.variables.map((variable) => (
          <button
            key={variable}
            type="button"
            className={variablesStyles.chip}
            aria-label={t('reports.form.removeVariable', { name: nameOf(variable) })}
            onClick={() => onChange(values.variables.filter((each) => each !== variable))}
          >
            {nameOf(variable)}
            <IconX size={14} aria-hidden="true" />
          </button>
        ))}
        <button
          type="button"
          className={variablesStyles.chip}
          data-adds
          aria-disabled={lacksDevices || undefined}
          aria-haspopup="dialog"
          aria-describedby={lacksDevices ? `${id}-reason` : undefined}
          onClick={() => {
            if (!lacksDevices) setOpened(true);
          }}
        >
          <IconPlus size={14} aria-hidden="true" />
          {t('reports.form.addVariable')}
        </button>
      </div>
      {lacksDevices && (
        <p id={`${id}-reason`} className={styles.reason}>
          {t('reports.form.noVariables')}
        </p>
      )}
      {error !== undefined && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
      {opened && <ChooseVariables values={values} onChange={onChange} onClose={() => setOpened(false)} />}
    </div>
  );
}
