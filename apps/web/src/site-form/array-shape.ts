const STEP_DEG = 5;

export const compassPoints = [
  'n',
  'nne',
  'ne',
  'ene',
  'e',
  'ese',
  'se',
  'sse',
  's',
  'ssw',
  'sw',
  'wsw',
  'w',
  'wnw',
  'nw',
  'nnw',
] as const;
export type CompassPoint = (typeof compassPoints)[number];

const SECTOR_DEG = 360 / compassPoints.length;

/** The point of the compass that a direction is nearest to; degrees from north, clockwise. */
export const compassPointOf = (azimuthDeg: number): CompassPoint =>
  compassPoints[Math.round((((azimuthDeg % 360) + 360) % 360) / SECTOR_DEG) % compassPoints.length] ?? 'n';

const inSteps = (degrees: number): number => Math.round(degrees / STEP_DEG) * STEP_DEG;

/** Direction of a point beside the middle of the dial, x to the right and y down, in steps. */
export const azimuthAt = (x: number, y: number): number => (inSteps((Math.atan2(x, -y) * 180) / Math.PI) + 360) % 360;

/** Slope of a line from the foot of the roof to a point, x to the right and y down, in steps between flat and upright. */
export const inclinationAt = (x: number, y: number): number =>
  Math.min(Math.max(inSteps((Math.atan2(-y, Math.max(x, 0)) * 180) / Math.PI), 0), 90);
