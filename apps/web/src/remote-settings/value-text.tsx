import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import type { SettingRule } from '@sonnenwarte/contract/remote-settings/setting';
import { Fragment, type ReactNode } from 'react';
import { useSettingTexts } from './use-setting-text.ts';
import styles from './value-text.module.css';

interface ValueTextProps {
  rule: SettingRule;
  value: SettingValue | null;
  /** What it is looked at beside: the limits that are others there stand out. */
  against?: SettingValue | null;
  /** Each limit on a line of its own. */
  stacked?: boolean;
}

/** A value in words. Of one that holds several limits each is written out. */
export function ValueText({ rule, value, against, stacked = false }: ValueTextProps): ReactNode {
  const texts = useSettingTexts();
  const pieces = texts.pieces(rule, value);
  if (pieces.length === 1) return pieces[0];
  const others = against === undefined ? pieces : texts.pieces(rule, against);
  return (
    <span className={stacked ? styles.stacked : styles.pieces}>
      {pieces.map((piece, at) => (
        <Fragment key={piece}>
          {at > 0 && <i> · </i>}
          <span>{piece === others[at] ? piece : <mark>{piece}</mark>}</span>
        </Fragment>
      ))}
    </span>
  );
}

interface ChangeTextProps {
  rule: SettingRule;
  from: SettingValue | null;
  to: SettingValue;
}

/** What a value was and becomes: "15.0 → 17.0 kW". */
export function ChangeText({ rule, from, to }: ChangeTextProps): ReactNode {
  const texts = useSettingTexts();
  if (!texts.isSpelledOut(rule, from) && !texts.isSpelledOut(rule, to)) {
    return `${texts.parts(rule, from).amount} → ${texts.value(rule, to)}`;
  }
  return (
    <>
      <ValueText rule={rule} value={from} against={to} /> → <ValueText rule={rule} value={to} against={from} />
    </>
  );
}
