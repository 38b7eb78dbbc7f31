import { useId } from 'react';
import fields from './fields.module.css';

interface ToggleProps {
  label: string;
  /** What it switches, for screen readers, where several have the same label. */
  about?: string;
  checked: boolean;
  /** The switch was just thrown; it keeps the focus until that has taken effect. */
  busy?: boolean;
  onChange: (checked: boolean) => void;
}

/** A switch that acts at once. */
export function Toggle({ label, about, checked, busy = false, onChange }: ToggleProps) {
  const id = useId();
  return (
    <span className={fields.toggle}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={checked}
        aria-label={about === undefined ? undefined : `${label}: ${about}`}
        aria-disabled={busy || undefined}
        className={fields.switch}
        checked={checked}
        onChange={(event) => {
          if (!busy) onChange(event.currentTarget.checked);
        }}
      />
      <label htmlFor={id}>{label}</label>
    </span>
  );
}
