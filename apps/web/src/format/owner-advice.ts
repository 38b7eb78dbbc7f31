/** What an owner can safely do about an alarm; the work itself is the installer's. */
export type OwnerAdvice =
  | 'safety'
  | 'battery'
  | 'gridOutside'
  | 'gridLost'
  | 'lessYield'
  | 'air'
  | 'backup'
  | 'connection'
  | 'check'
  | 'none';

/** All others are for the installer to look at. */
const codesOf: Readonly<Record<Exclude<OwnerAdvice, 'check'>, readonly number[]>> = {
  safety: [1011, 2001, 2002, 2003, 2004, 2005, 3004, 3007],
  battery: [4002, 4004, 4008, 4009],
  gridOutside: [1001, 1002, 1003, 1004, 1006, 1009, 1010],
  gridLost: [1005],
  lessYield: [2006, 2007, 7001],
  air: [3001],
  backup: [3008],
  connection: [5003, 5006],
  none: [3003, 4005, 4010, 5007, 7002],
};

/** The codes that have an advice of their own. */
export const advisedCodes = (): number[] => Object.values(codesOf).flat();

/** The advice for the owner of a plant; a code that nobody knows is for the installer to look at. */
export const ownerAdviceOf = (code: number): OwnerAdvice =>
  (Object.keys(codesOf) as (keyof typeof codesOf)[]).find((advice) => codesOf[advice].includes(code)) ?? 'check';
