/** Run states of an inverter, numbered as SunSpec `St` of the models 101-103. */
export const runStates: Record<number, string> = {
  1: 'points.runOff',
  2: 'points.runSleeping',
  3: 'points.runStarting',
  4: 'points.runMppt',
  5: 'points.runThrottled',
  6: 'points.runShuttingDown',
  7: 'points.runFault',
  8: 'points.runStandby',
};

/** Work modes of a storage inverter. */
export const workModes: Record<number, string> = {
  1: 'points.modeSelfUse',
  2: 'points.modeFeedInPriority',
  3: 'points.modeBackup',
  4: 'points.modeBatterySupport',
  5: 'points.modePeakShaving',
};

/** States of a battery; normal is any working state that is neither charging nor idle. */
export const batteryStates: Record<number, string> = {
  1: 'points.batteryCharging',
  2: 'points.batteryNormal',
  3: 'points.batteryIdle',
};

/** SG-Ready states of a heat pump. */
export const sgReadyStates: Record<number, string> = {
  1: 'points.sgBlocked',
  2: 'points.sgNormal',
  3: 'points.sgRecommended',
  4: 'points.sgForced',
};

/** Connector states of OCPP 1.6, in the order of its ChargePointStatus. */
export const pileStates: Record<number, string> = {
  1: 'points.pileAvailable',
  2: 'points.pilePreparing',
  3: 'points.pileCharging',
  4: 'points.pileSuspendedEvse',
  5: 'points.pileSuspendedEv',
  6: 'points.pileFinishing',
  7: 'points.pileReserved',
  8: 'points.pileUnavailable',
  9: 'points.pileFaulted',
};

/** How reactive power is controlled. */
export const reactiveModes: Record<number, string> = {
  0: 'points.reactiveOff',
  1: 'points.reactiveFixedPf',
  2: 'points.reactiveFixedQ',
  3: 'points.reactivePfOfPower',
  4: 'points.reactiveQOfVoltage',
};

/** Part of an inverter in a group of parallel ones. */
export const parallelModes: Record<number, string> = {
  0: 'points.parallelSingle',
  1: 'points.parallelPrimary',
  2: 'points.parallelSecondary',
};
