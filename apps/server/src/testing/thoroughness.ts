/** Set by `npm run test:long`: properties and walks of all cases take the time that they are worth. */
const isThorough = process.env.THOROUGH === 'on';

/** How many cases are tried: few in every run of the tests, all of them where there is time. */
export const casesOf = (daily: number, thorough: number): number => (isThorough ? thorough : daily);
