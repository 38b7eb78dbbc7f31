import { judged, LEAST_CONTRAST } from '@sonnenwarte/contract/brands/colours';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { EndpointForm } from '../blocks/form/endpoint-form.ts';
import { TextField } from '../blocks/form/fields.tsx';
import { useFormat } from '../format/use-format.ts';
import type { BrandValues } from './brand-form.tsx';
import styles from './brands.module.css';
import { Swatch } from './swatch.tsx';

const OWN = '#0b6f73';

/** A colour as the portal can show it, once it is written in full. */
export const wholeColour = (text: string): string | undefined =>
  /^#[0-9a-f]{6}$/i.test(text.trim()) ? text.trim().toLowerCase() : undefined;

/** The colour of a brand, and in which shade it is read where it could not be as it is. */
export function ColourField({ form }: { form: EndpointForm<BrandValues, 'brands'> }): ReactNode {
  const { t } = useTranslation();
  const colour = wholeColour(form.values.colour);
  return (
    <div className={styles.colour}>
      <TextField form={form} name="colour" required={false} description={t('brands.hint.colour')} />
      <input
        type="color"
        aria-label={t('brands.colour.pick')}
        value={colour ?? OWN}
        onChange={(event) => form.setValue('colour', event.currentTarget.value)}
      />
      {colour !== undefined && <Judged colour={colour} />}
    </div>
  );
}

function Judged({ colour }: { colour: string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const found = judged(colour);
  return (
    <ul className={styles.judged} aria-live="polite">
      {(['light', 'dark'] as const).map((scheme) => {
        const { contrast, shown } = found[scheme];
        const values = { contrast: format.number(Math.floor(contrast * 10) / 10, 1), shade: shown };
        const isRead = contrast >= LEAST_CONTRAST;
        return (
          <li key={scheme} data-shade={!isRead || undefined}>
            <Swatch colour={shown} />
            <span>{t(isRead ? `brands.colour.${scheme}` : `brands.colour.${scheme}Shade`, values)}</span>
          </li>
        );
      })}
    </ul>
  );
}
