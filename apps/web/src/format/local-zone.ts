/** Zone of the browser: times of people and records, which belong to no plant. */
export const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
