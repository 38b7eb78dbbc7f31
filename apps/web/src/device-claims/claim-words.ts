import type { DeviceClaim } from '@sonnenwarte/contract/device-claims/device-claims';
import type { TFunction } from 'i18next';

type Side = DeviceClaim['holder'];

/** The two by name, whatever plant one looks at; of a plant that one may not know, its datalogger. */
export function sidesOf(t: TFunction, { holder, claimant, deviceSN }: DeviceClaim) {
  const nameOf = ({ plantName, moduleSN }: Side): string => plantName ?? t('device-claims.logger', { sn: moduleSN });
  return { sn: deviceSN, holder: nameOf(holder), claimant: nameOf(claimant) };
}

export const titleOf = (t: TFunction, { state, deviceSN }: DeviceClaim): string =>
  t(state === 'kept' ? 'device-claims.decided' : 'device-claims.title', { sn: deviceSN });

/** What each side is told: who has the number, who claims it, both to whoever sees both. */
export function textOf(t: TFunction, claim: DeviceClaim): string {
  const { state, holder, claimant, can } = claim;
  const both = { ...sidesOf(t, claim), own: holder.moduleSN, other: claimant.moduleSN };
  if (state === 'kept') {
    return can.release ? t('device-claims.keptBoth', both) : t('device-claims.kept', { own: claimant.moduleSN });
  }
  if (can.release && claimant.stationID !== null) return t('device-claims.both', both);
  if (can.release) return t('device-claims.holder', { other: claimant.moduleSN });
  return t('device-claims.claimant', { own: claimant.moduleSN });
}
