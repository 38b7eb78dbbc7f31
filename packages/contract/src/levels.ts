/** Access levels of the specification, section 6. Never compare them as if they were a line: list who may. */
export const levels = [1, 2, 3, 4, 10, 255] as const;
export type Level = (typeof levels)[number];

/** Stored access level of somebody who is not signed in. */
export const NOT_SIGNED_IN = -1;

export const LEVEL = {
  endUser: 1,
  installer: 2,
  agent: 3,
  distributor: 4,
  integrator: 10,
  admin: 255,
} as const satisfies Record<string, Level>;

/** Key of the phrase that names a level (`levels.1`, ...). */
export type LevelPhraseKey = `levels.${Level}`;

export const isLevel = (value: unknown): value is Level => levels.some((level) => level === value);
