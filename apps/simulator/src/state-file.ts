import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { PlantSettings, WorkMode } from './fleet.ts';
import type { PlantState } from './plant/state.ts';
import type { SavedPast } from './plant-past.ts';

/** What is kept of a plant between two runs, so that its counters go on and its years do not begin again. */
export interface SavedPlant {
  /** When the plant was first simulated: what the fleet file says in days ago counts from there. */
  bornMs: number;
  /** From when its series was computed. */
  originMs: number;
  state: PlantState;
  settings: PlantSettings;
  workMode: WorkMode;
  /** What is still to be told of the time before its series. */
  past?: SavedPast;
}

interface StateFile {
  format: 2;
  fleet: string;
  plants: Record<string, SavedPlant>;
}

/** The saved plants by key; empty where there is no file, or one that does not fit. */
export function readState(path: string | undefined, fleet: string): Record<string, SavedPlant> {
  if (path === undefined) return {};
  try {
    const file: Partial<StateFile> = JSON.parse(readFileSync(path, 'utf8'));
    return file.format === 2 && file.fleet === fleet ? (file.plants ?? {}) : {};
  } catch {
    return {};
  }
}

/** Writes the file whole or not at all. */
export function writeState(path: string, fleet: string, plants: Record<string, SavedPlant>): void {
  const file: StateFile = { format: 2, fleet, plants };
  const temporary = `${path}.${process.pid}.new`;
  writeFileSync(temporary, JSON.stringify(file));
  renameSync(temporary, path);
}
