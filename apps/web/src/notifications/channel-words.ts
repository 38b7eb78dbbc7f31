import type { Channel } from '@sonnenwarte/contract/notifications/notifications';
import type { TFunction } from 'i18next';

/** Why a delivery failed. */
export const failureText = (t: TFunction, failure: Channel['lastFailure']): string =>
  failure ? t(`notifications.failure.${failure.reason}`, { status: failure.status ?? 0 }) : '';
