import { useId } from 'react';
import fields from '../blocks/fields.module.css';

interface ToggleProps {
  label: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

/** A switch that acts at once. */
export function Toggle({ label, checked, disabled = false, onChange }: ToggleProps) {
  const id = useId();
  return (
    <span className={fields.toggle}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={checked}
        className={fields.switch}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label htmlFor={id}>{label}</label>
    </span>
  );
}
