import { readLocal } from '../state/storage.ts';

const dark = matchMedia('(prefers-color-scheme: dark)');

function apply(): void {
  const stored = readLocal('colorScheme');
  const scheme = stored === 'light' || stored === 'dark' ? stored : dark.matches ? 'dark' : 'light';
  document.documentElement.dataset.mantineColorScheme = scheme;
}

/** Light or dark as stored, or as the system has it, before the component kit is loaded. */
export function showStoredScheme(): void {
  apply();
  dark.addEventListener('change', apply);
}
