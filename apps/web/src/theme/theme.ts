import {
  type CSSVariablesResolver,
  createTheme,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
} from '@mantine/core';

/** The brand's hue from light to dark; the interface itself takes its colours from the tokens. */
const brand: MantineColorsTuple = [
  '#e6f6f6',
  '#d2ecec',
  '#a6d9da',
  '#76c6c8',
  '#52d3d6',
  '#2fa7ab',
  '#0c8c90',
  '#0b6f73',
  '#085b5e',
  '#04484b',
];

export const colorScheme = localStorageColorSchemeManager({ key: 'colorScheme' });

export const theme = createTheme({
  colors: { brand },
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  fontFamily: 'var(--font)',
  fontSizes: {
    xs: 'var(--text-12)',
    sm: 'var(--text-13)',
    md: 'var(--text-14)',
    lg: 'var(--text-15)',
    xl: 'var(--text-20)',
  },
  spacing: {
    xs: 'var(--space-4)',
    sm: 'var(--space-8)',
    md: 'var(--space-12)',
    lg: 'var(--space-16)',
    xl: 'var(--space-24)',
  },
  defaultRadius: 'md',
  radius: { md: 'var(--radius)', lg: 'var(--radius-panel)' },
  cursorType: 'pointer',
  respectReducedMotion: true,
});

/** The kit's own colours, taken from the tokens. */
const fromTokens = {
  '--mantine-color-body': 'var(--page)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-default': 'var(--panel)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-error': 'var(--bad-text)',
  '--mantine-color-placeholder': 'var(--muted)',
  '--mantine-color-anchor': 'var(--brand-text)',
};

export const kitVariables: CSSVariablesResolver = () => ({ variables: {}, light: fromTokens, dark: fromTokens });
