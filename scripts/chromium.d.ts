export function findChromium(env?: NodeJS.ProcessEnv): string | undefined;
export function installChromium(): boolean;
