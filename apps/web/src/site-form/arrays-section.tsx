import { MOST_ARRAYS } from '@sonnenwarte/contract/site-form/site-form';
import { IconCopy, IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import fields from '../blocks/form/fields.module.css';
import { TextField } from '../blocks/form/fields.tsx';
import { NumberField } from '../blocks/form/number-field.tsx';
import { Button, IconButton } from '../blocks/show/button.tsx';
import { useFormat } from '../format/use-format.ts';
import { compassPointOf } from './array-shape.ts';
import styles from './arrays-section.module.css';
import { Compass, Slope } from './roof-dials.tsx';
import type { SiteForm } from './sections.ts';
import type { ArrayValues, Typed } from './site-values.ts';

const SOUTH_DEG = 180;

const newArray = (azimuthDeg: number): ArrayValues => ({
  name: '',
  azimuthDeg,
  inclinationDeg: 30,
  kwp: '',
  modules: '',
  moduleType: '',
});

const degreesOf = (value: Typed): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);

/** Modules that face the same way, array by array. */
export function ArraysSection({ form }: { form: SiteForm }): ReactNode {
  const { t } = useTranslation();
  const [gone, setGone] = useState<{ at: number; array: ArrayValues }>();
  const section = useRef<HTMLDivElement>(null);
  const rows = form.rowsOf('arrays');
  const { arrays, position } = form.values;
  const isSouthern = typeof position.latitude === 'number' && position.latitude < 0;
  const error = form.errorOf('arrays');

  const insert = (at: number, array: ArrayValues) => {
    form.insertRow('arrays', at, array);
    setGone(undefined);
    focusSoon(() => section.current?.querySelector<HTMLElement>(`[data-row="${at}"] input`));
  };
  const remove = (at: number) => {
    const array = arrays[at];
    if (!array) return;
    form.removeRow('arrays', at);
    setGone({ at, array });
    focusSoon(() => section.current?.querySelector<HTMLElement>('[data-undo]'));
  };
  return (
    <div ref={section} className={styles.section}>
      {rows.length > 0 && (
        <div className={styles.rows}>
          {rows.map(({ key }, at) => (
            <ArrayRow
              key={key}
              form={form}
              at={at}
              canCopy={rows.length < MOST_ARRAYS}
              onCopy={() => arrays[at] && insert(at + 1, arrays[at])}
              onRemove={() => remove(at)}
            />
          ))}
        </div>
      )}
      <p role="status" className={styles.gone}>
        {gone && (
          <>
            {t('blocks.rows.removed', { name: t('site-form.array.one'), number: gone.at + 1 })}{' '}
            <Button look="plain" small data-undo onClick={() => insert(Math.min(gone.at, rows.length), gone.array)}>
              {t('site-form.array.undo')}
            </Button>
          </>
        )}
      </p>
      {error !== undefined && <p className={fields.error}>{error}</p>}
      {rows.length === 0 && <p className={styles.none}>{t('site-form.array.none')}</p>}
      <div>
        <Button
          disabled={rows.length >= MOST_ARRAYS}
          onClick={() => insert(rows.length, newArray(isSouthern ? 0 : SOUTH_DEG))}
        >
          <IconPlus size={16} aria-hidden="true" /> {t('site-form.array.add')}
        </Button>
      </div>
    </div>
  );
}

/** Once what was changed is drawn. */
const focusSoon = (find: () => HTMLElement | null | undefined): void =>
  void requestAnimationFrame(() => requestAnimationFrame(() => find()?.focus()));

interface ArrayRowProps {
  form: SiteForm;
  at: number;
  canCopy: boolean;
  onCopy: () => void;
  onRemove: () => void;
}

function ArrayRow({ form, at, canCopy, onCopy, onRemove }: ArrayRowProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const array = form.values.arrays[at];
  if (!array) return null;
  const path = `arrays.${at}` as const;
  const nth = t('blocks.rows.nth', { name: t('site-form.array.one'), number: at + 1 });
  const azimuthDeg = degreesOf(array.azimuthDeg);
  const inclinationDeg = degreesOf(array.inclinationDeg);
  const words = [
    t(`site-form.direction.${compassPointOf(azimuthDeg)}`),
    ...(typeof array.modules === 'number' ? [t('site-form.array.modules', { count: array.modules })] : []),
  ];
  return (
    <fieldset data-row={at} aria-label={nth} className={styles.row}>
      <div className={styles.dials}>
        <Compass azimuthDeg={azimuthDeg} onTurn={(next) => form.setValue(`${path}.azimuthDeg`, next)} />
        <Slope inclinationDeg={inclinationDeg} onTilt={(next) => form.setValue(`${path}.inclinationDeg`, next)} />
      </div>
      <div className={styles.fields}>
        <div className={styles.head}>
          <span className={styles.nth} aria-hidden="true">
            {nth}
          </span>
          <IconButton aria-label={`${t('site-form.array.copy')}: ${nth}`} disabled={!canCopy} onClick={onCopy}>
            <IconCopy size={18} aria-hidden="true" />
          </IconButton>
          <IconButton aria-label={`${t('blocks.rows.remove')}: ${nth}`} onClick={onRemove}>
            <IconTrash size={18} aria-hidden="true" />
          </IconButton>
        </div>
        <div className={styles.numbers}>
          <NumberField form={form} name={`${path}.azimuthDeg`} unit="°" integer />
          <NumberField form={form} name={`${path}.inclinationDeg`} unit="°" integer />
          <NumberField form={form} name={`${path}.kwp`} unit={format.kWpUnit} />
          <NumberField form={form} name={`${path}.modules`} label={t('site-form.field.moduleCount')} integer />
        </div>
        <div className={styles.names}>
          <TextField form={form} name={`${path}.moduleType`} />
          <TextField form={form} name={`${path}.name`} label={t('site-form.field.arrayName')} />
        </div>
        <p className={styles.words}>{words.join(' · ')}</p>
      </div>
    </fieldset>
  );
}
