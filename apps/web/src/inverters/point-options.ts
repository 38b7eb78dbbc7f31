type Options = Readonly<Record<number, string>>;

/** Phrase keys of the numbers that state points carry; what is not listed shows its number. */
const options: Readonly<Record<string, Options>> = {
  'State/Run': {
    1: 'points.runOff',
    2: 'points.runSleeping',
    3: 'points.runStarting',
    4: 'points.runMppt',
    5: 'points.runThrottled',
    6: 'points.runShuttingDown',
    7: 'points.runFault',
    8: 'points.runStandby',
  },
  'State/WorkMode': {
    1: 'points.modeSelfUse',
    2: 'points.modeFeedInPriority',
    3: 'points.modeBackup',
    4: 'points.modeBatterySupport',
    5: 'points.modePeakShaving',
  },
};

/** The value of a state point as a phrase key where it has one, else as it is. */
export const stateOf = (variable: string, value: number | string | boolean): number | string | boolean =>
  typeof value === 'number' ? (options[variable]?.[value] ?? value) : value;
