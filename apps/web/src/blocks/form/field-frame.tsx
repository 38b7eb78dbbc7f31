import type { ParseKeys } from 'i18next';
import { type ReactNode, useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { EndpointForm, FieldName } from './endpoint-form.ts';
import styles from './fields.module.css';

type LastStep<N extends string> = N extends `${string}.${infer Rest}` ? LastStep<Rest> : N;

/** Key of the text that names a field of a feature. */
type LabelKey<F extends string, N extends string> = `${F}.field.${LastStep<N>}`;

interface AnyFieldProps<V extends object, F extends string, N extends FieldName<V>> {
  form: EndpointForm<V, F>;
  name: N;
  /** Where it is not `<feature>.field.<name>`. */
  label?: string;
  /** What is allowed, above the field: "8 to 64 characters". */
  hint?: string;
  /** What it is good for, beneath the field. */
  description?: string;
  /** Where the contract's schema does not tell. */
  required?: boolean;
  disabled?: boolean;
}

/** What every field takes; a label may be left out only where the feature has a text for the field. */
export type FieldProps<V extends object, F extends string, N extends FieldName<V>> = AnyFieldProps<V, F, N> &
  (LabelKey<F, N> extends ParseKeys ? unknown : { label: string });

/** Name of a field. */
export function useFieldLabel<V extends object, F extends string>(
  { feature }: EndpointForm<V, F>,
  name: string,
  label: string | undefined,
): string {
  const { t } = useTranslation();
  // `FieldProps` has seen that there is such a text.
  return label ?? t(`${feature}.field.${name.split('.').at(-1)}` as ParseKeys);
}

/** What ties a control to its label, its texts and its error. */
export interface ControlProps {
  id: string;
  disabled: boolean;
  'aria-required': true | undefined;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

interface FieldFrameProps<V extends object, F extends string, N extends FieldName<V>> extends AnyFieldProps<V, F, N> {
  /** Stands beneath, at the end: a count of characters. */
  aside?: ReactNode;
  /** The control is made of several, which the label names together. */
  group?: boolean;
  control: (props: ControlProps) => ReactNode;
}

/** Id of the label of a control, for those that no `label` element can name. */
export const labelIdOf = (id: string): string => `${id}-label`;

/** The same for a widget, which names itself by the label. */
export const entryOf = ({
  id,
  disabled,
  'aria-required': required,
  'aria-invalid': invalid,
  'aria-describedby': describedBy,
}: ControlProps) => ({
  id,
  labelledBy: labelIdOf(id),
  describedBy,
  required: required === true,
  invalid: invalid === true,
  disabled,
});

/** Label, hint, control, description and error of a field. */
export function FieldFrame<V extends object, F extends string, N extends FieldName<V>>(
  props: FieldFrameProps<V, F, N>,
) {
  const { form, name, hint, description, disabled = false, aside, group = false, control } = props;
  const { t } = useTranslation();
  const label = useFieldLabel(form, name, props.label);
  const id = useId();
  const error = form.errorOf(name);
  const required = props.required ?? form.isRequired(name);
  const optional = !required && !disabled;
  const { need } = form;
  const needed = props.required === true && !disabled;
  useEffect(() => (needed ? need(name) : undefined), [needed, need, name]);
  const described = [
    optional && `${id}-optional`,
    hint && `${id}-hint`,
    description && `${id}-description`,
    error && `${id}-error`,
  ].filter((each) => typeof each === 'string' && each !== '');
  return (
    <div className={styles.field}>
      <div className={styles.head}>
        {group ? (
          <span id={labelIdOf(id)} className={styles.label}>
            {label}
          </span>
        ) : (
          <label id={labelIdOf(id)} htmlFor={id} className={styles.label}>
            {label}
          </label>
        )}
        {optional && (
          <span id={`${id}-optional`} className={styles.optional}>
            {t('blocks.optional')}
          </span>
        )}
      </div>
      {hint && (
        <span id={`${id}-hint`} className={styles.hint}>
          {hint}
        </span>
      )}
      {control({
        id,
        disabled,
        'aria-required': required || undefined,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described.join(' ') || undefined,
      })}
      {error && (
        <span id={`${id}-error`} className={styles.error}>
          {error}
        </span>
      )}
      {(description || aside) && (
        <div className={styles.beneath}>
          {description && (
            <span id={`${id}-description`} className={styles.hint}>
              {description}
            </span>
          )}
          {aside}
        </div>
      )}
    </div>
  );
}
