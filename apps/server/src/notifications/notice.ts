/** What an account is told. */
export type Notice =
  | { readonly kind: 'newSignIn'; readonly device: string; readonly address: string }
  | { readonly kind: 'passwordChanged'; readonly address: string }
  | { readonly kind: 'emailChanged'; readonly email: string; readonly address: string }
  | { readonly kind: 'apiKeyCreated'; readonly name: string; readonly address: string }
  | {
      readonly kind: 'serialNumberClaimed' | 'serialNumberKept' | 'serialNumberReleased' | 'serialNumberSeparate';
      readonly sn: string;
      readonly plant: string;
    }
  | { readonly kind: 'test' };

export const noticeKinds = [
  'newSignIn',
  'passwordChanged',
  'emailChanged',
  'apiKeyCreated',
  'serialNumberClaimed',
  'serialNumberKept',
  'serialNumberReleased',
  'serialNumberSeparate',
  'test',
] as const satisfies readonly Notice['kind'][];
