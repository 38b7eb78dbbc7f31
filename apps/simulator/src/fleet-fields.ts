/** A fleet file is wrong: `message` names the field and what is expected of it. */
export class FleetError extends Error {
  constructor(path: string, problem: string) {
    super(`${path} ${problem}`);
    this.name = 'FleetError';
  }
}

/** An object within a fleet file and where it stands. */
export interface Fields {
  path: string;
  value: Record<string, unknown>;
}

export function object(value: unknown, path: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new FleetError(path, 'must be an object');
  }
  return { path, value: Object.fromEntries(Object.entries(value)) };
}

export function text(at: Fields, name: string, pattern?: RegExp): string {
  const value = at.value[name];
  if (typeof value !== 'string' || value.length === 0) throw new FleetError(`${at.path}.${name}`, 'must be a text');
  if (pattern !== undefined && !pattern.test(value)) {
    throw new FleetError(`${at.path}.${name}`, `${JSON.stringify(value)} does not match ${pattern.source}`);
  }
  return value;
}

export function truth(at: Fields, name: string): boolean {
  const value = at.value[name];
  if (typeof value !== 'boolean') throw new FleetError(`${at.path}.${name}`, 'must be true or false');
  return value;
}

export function numberIn(at: Fields, name: string, lowest: number, highest: number): number {
  const value = at.value[name];
  if (typeof value !== 'number' || !(value >= lowest && value <= highest)) {
    throw new FleetError(`${at.path}.${name}`, `must be a number from ${lowest} to ${highest}`);
  }
  return value;
}

export function oneOf<const T extends string | number>(at: Fields, name: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === at.value[name]);
  if (found === undefined) throw new FleetError(`${at.path}.${name}`, `must be one of ${choices.join(', ')}`);
  return found;
}

export function list<T>(
  at: Fields,
  name: string,
  item: (at: Fields) => T,
  fewest = 0,
  most = Number.POSITIVE_INFINITY,
): T[] {
  const value = at.value[name];
  const path = `${at.path}.${name}`;
  if (!Array.isArray(value)) throw new FleetError(path, 'must be a list');
  if (value.length < fewest || value.length > most) throw new FleetError(path, `must have ${fewest} to ${most} items`);
  return value.map((each, index) => item(object(each, `${path}[${index}]`)));
}

export function optional<K extends string, T>(
  at: Fields,
  name: K,
  read: (at: Fields, name: string) => T,
): { [P in K]?: T } {
  const found: { [P in K]?: T } = {};
  if (at.value[name] !== undefined) found[name] = read(at, name);
  return found;
}

export function orNull<T>(at: Fields, name: string, read: (at: Fields, name: string) => T): T | null {
  return at.value[name] === null ? null : read(at, name);
}
