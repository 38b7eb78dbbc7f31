import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import type { FileTime } from './test-tally.ts';

/** Writes how long each file of a run took, its hooks and imports included, to where FILE_TIMES says. */
export default class FileTimes implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const times = modules.map((module): FileTime => {
      const { duration, collectDuration, prepareDuration, environmentSetupDuration } = module.diagnostic();
      return {
        file: module.relativeModuleId,
        ms: duration + collectDuration + prepareDuration + environmentSetupDuration,
      };
    });
    writeFileSync(process.env.FILE_TIMES ?? '', JSON.stringify(times));
  }
}
