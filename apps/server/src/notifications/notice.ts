/** What an account is told. */
export type Notice =
  | { readonly kind: 'newSignIn'; readonly device: string; readonly address: string }
  | { readonly kind: 'passwordChanged'; readonly address: string }
  | { readonly kind: 'emailChanged'; readonly email: string; readonly address: string }
  | { readonly kind: 'apiKeyCreated'; readonly name: string; readonly address: string }
  | { readonly kind: 'test' };

export const noticeKinds = [
  'newSignIn',
  'passwordChanged',
  'emailChanged',
  'apiKeyCreated',
  'test',
] as const satisfies readonly Notice['kind'][];
