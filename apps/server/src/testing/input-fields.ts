import type { Endpoint } from '@sonnenwarte/contract/endpoint';
import type * as z from 'zod/mini';
import { sampleInput } from './sample-input.ts';

type Step = string | number;

/** A place in an input where a single value stands. */
export interface InputField {
  readonly path: readonly Step[];
  /** What the contract has there: `string`, `number`, `enum`, `boolean`, … */
  readonly types: ReadonlySet<string>;
}

/** Every single value that an input can hold, however deep; of a list its first. */
export function fieldsOf(endpoint: Endpoint): InputField[] {
  const found = new Map<string, InputField & { types: Set<string> }>();
  const note = (path: readonly Step[], type: string) => {
    const key = JSON.stringify(path);
    const field = found.get(key) ?? { path, types: new Set<string>() };
    field.types.add(type);
    found.set(key, field);
  };
  const walk = (schema: z.core.$ZodType, path: readonly Step[]): void => {
    const { def } = (schema as z.core.$ZodTypes)._zod;
    switch (def.type) {
      case 'object':
        if (path.length > 0) note(path, 'object');
        for (const [name, inner] of Object.entries(def.shape)) walk(inner, [...path, name]);
        break;
      case 'array':
        note(path, 'array');
        walk(def.element, [...path, 0]);
        break;
      case 'union':
        for (const option of def.options) walk(option, path);
        return;
      case 'optional':
      case 'nullable':
      case 'default':
      case 'catch':
      case 'readonly':
        walk(def.innerType, path);
        break;
      case 'pipe':
        walk(def.in, path);
        break;
      default:
        note(path, def.type);
    }
  };
  walk(endpoint.input, []);
  return [...found.values()];
}

/** An input that the endpoint takes, but for the value at one place. */
export function inputWith(
  endpoint: Endpoint,
  { path }: InputField,
  value: unknown,
  named: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const input: Record<string, unknown> = { ...sampleInput(endpoint), ...named };
  let place: Record<Step, unknown> = input;
  for (const [at, step] of path.slice(0, -1).entries()) {
    const inner = place[step];
    if (typeof inner !== 'object' || inner === null) place[step] = typeof path[at + 1] === 'number' ? [] : {};
    place = place[step] as Record<Step, unknown>;
  }
  place[path.at(-1) ?? ''] = value;
  return input;
}
