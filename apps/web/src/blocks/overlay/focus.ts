const FIELD = 'input:enabled, select:enabled, textarea:enabled';

/** Not where a finger types: the screen's keyboard would cover what is said around the field. */
export function focusFirstField(element: HTMLElement | null): void {
  if (matchMedia('(pointer: fine)').matches) element?.querySelector<HTMLElement>(FIELD)?.focus();
}

/** Leads to the first refused field, or to the first box of a refused group, which cannot have the focus itself. */
export function focusFirstRefused(element: HTMLElement | null): void {
  const refused = element?.querySelector<HTMLElement>('[aria-invalid="true"]');
  (refused?.querySelector<HTMLElement>(FIELD) ?? refused)?.focus();
}
