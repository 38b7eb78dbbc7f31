/** The code of a one-time link; it stands in the fragment, which no server log sees. */
export const codeOf = (hash: string): string => {
  const fragment = hash.replace(/^#/, '');
  return new URLSearchParams(fragment).get('code') ?? fragment;
};
