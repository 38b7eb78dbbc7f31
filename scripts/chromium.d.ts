export function findChromium(env?: NodeJS.ProcessEnv): string | undefined;
export function hasSparingChromium(env?: NodeJS.ProcessEnv): boolean;
export function installChromium(): void;
