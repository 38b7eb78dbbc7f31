import path from 'node:path';
import type { ConfigEnv, UserConfig } from 'vite';

/** Whether it is the portal that is built, and not a page of its blocks alone, which has no routes. */
export const isPortal = ({ root }: UserConfig, { command }: ConfigEnv): boolean =>
  command === 'build' && (root === undefined || path.resolve(root) === import.meta.dirname);
