import type { Endpoint } from '@sonnenwarte/contract/endpoint';
import * as z from 'zod/mini';

interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  format?: string;
  pattern?: string;
  allOf?: Schema[];
  minimum?: number;
  minItems?: number;
  minLength?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

function sample(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return sample(schema.anyOf[0]);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return Object.fromEntries((schema.required ?? []).map((key) => [key, sample(schema.properties?.[key] ?? {})]));
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}));
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, 0);
    case 'boolean':
      return false;
    default:
      return sampleText(schema);
  }
}

/** Texts of the kinds that calls ask for; the first that a pattern takes is used. */
const texts = [
  'sample-name',
  'someone@example.com',
  '+49 30 1234567',
  'DE',
  'EUR',
  '10115',
  'Europe/Berlin',
  '0'.repeat(32),
  '123456789012345',
  'ABCDEFGHJK',
  'ABC234',
  'sites:view',
  'member:query',
  'https://hooks.example.com/sonnenwarte',
  '/c/v1/sample/list',
  '06:00',
  '2026-06',
];

function sampleText({ format, pattern, allOf = [], minLength = 0 }: Schema): string {
  if (format === 'uuid') return '00000000-0000-4000-8000-000000000000';
  if (format === 'date') return '2026-06-21';
  const patterns = [pattern, ...allOf.map((part) => part.pattern)].filter((each) => each !== undefined);
  const fits = texts.find((text) => patterns.every((each) => new RegExp(each, 'u').test(text)));
  return (fits ?? 'sample').padEnd(minLength, 'x');
}

/** An input that the endpoint's own schema accepts, so that a new endpoint is tested without a line being written. */
export const sampleInput = (endpoint: Endpoint): Record<string, unknown> =>
  sample(z.toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' }) as Schema) as Record<string, unknown>;
