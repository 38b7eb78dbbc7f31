import { codesOfCall, type Endpoint } from '@sonnenwarte/contract/endpoint';
import { envelope } from '@sonnenwarte/contract/envelope';
import { errno } from '@sonnenwarte/contract/errors';
import { isQuantity, quantities } from '@sonnenwarte/contract/kinds';
import { languages } from '@sonnenwarte/contract/languages';
import * as z from 'zod/mini';

type Json = Record<string, unknown>;

const jsonSchema = (schema: z.ZodMiniType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return rest;
};

/** The answer's schema, in which the quantities of a list's rows say their unit. */
function answerOf(endpoint: Endpoint): Json {
  const schema = jsonSchema(envelope(endpoint.result), 'output');
  if (endpoint.list === undefined) return schema;
  const { rows, fields } = endpoint.list;
  const result = inside(schema, 'properties', 'result');
  const properties = inside(inside(result, 'properties', rows), 'items', 'properties');
  for (const [name, field] of Object.entries(fields)) {
    const unit = isQuantity(field) ? quantities[field.kind].unit : '';
    if (unit !== '' && properties[name] !== undefined) Object.assign(inside(properties, name), { 'x-unit': unit });
  }
  return schema;
}

const inside = (schema: Json, ...path: readonly string[]): Json =>
  path.reduce<Json>((inner, step) => (inner[step] ?? {}) as Json, schema);

const headers = (endpoint: Endpoint): Json[] => {
  const header = (name: string, required: boolean, description: string, schema: Json = { type: 'string' }): Json => ({
    in: 'header',
    name,
    required,
    description,
    schema,
  });
  const common = [
    header('lang', false, 'Language of texts.', { type: 'string', enum: [...languages], default: 'de' }),
    header('timezone', false, 'IANA time zone of the caller.'),
    ...Object.entries(endpoint.headers ?? {}).map(([name, value]) =>
      header(name, false, `The web client sends ${value}.`),
    ),
  ];
  if (endpoint.signed === false) return common;
  return [
    ...common,
    header(
      'token',
      endpoint.callers !== 'public',
      endpoint.auth === 'apiKey' ? 'API key.' : 'Session token, empty before sign-in.',
    ),
    header('timestamp', true, 'Unix milliseconds, within five minutes of the server.'),
    header(
      'signature',
      true,
      endpoint.auth === 'apiKey'
        ? 'Lower-case hex MD5 of path, token and timestamp joined by the four characters \\r\\n.'
        : 'Lower-case hex MD5 of path, token, lang and timestamp joined by the four characters \\r\\n, then a dot and a client id.',
    ),
  ];
};

function queryOf(endpoint: Endpoint): Json[] {
  const schema = jsonSchema(endpoint.input, 'input');
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  const required = (schema.required ?? []) as string[];
  return Object.entries(properties).map(([name, property]) => ({
    in: 'query',
    name,
    required: required.includes(name),
    schema: property,
  }));
}

function bodyOf({ input, upload }: Endpoint): Json {
  const schema = jsonSchema(input, 'input');
  if (upload === undefined) return { 'application/json': { schema } };
  const file = { type: 'string', format: 'binary', description: `At most ${upload.mostBytes} bytes.` };
  const properties = { ...(schema.properties as Json | undefined), file };
  return {
    'multipart/form-data': {
      schema: { ...schema, properties, required: [...((schema.required as string[] | undefined) ?? []), 'file'] },
    },
  };
}

function operation(endpoint: Endpoint): Json {
  const who = endpoint.callers === 'public' ? 'Anybody.' : `Levels ${endpoint.callers.join(', ')}.`;
  const codes = codesOfCall(endpoint).map((code) => `\`${code}\``);
  const code = codes.length === 0 ? '' : ` Needs the permission ${codes.join(' or ')}, where the level can hold it.`;
  const content = endpoint.stream
    ? { 'text/event-stream': { schema: jsonSchema(endpoint.result, 'output') } }
    : {
        'application/json': { schema: answerOf(endpoint) },
        ...(endpoint.file && { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }),
      };
  return {
    tags: [endpoint.feature],
    summary: endpoint.summary,
    description: who + code,
    parameters: [...headers(endpoint), ...(endpoint.method === 'GET' ? queryOf(endpoint) : [])],
    ...(endpoint.method === 'POST' && {
      requestBody: { required: true, content: bodyOf(endpoint) },
    }),
    responses: { 200: { description: 'The envelope; errno 0 is success.', content } },
  };
}

/** OpenAPI 3.1 of endpoints, made from the contract. */
export function openApi(endpoints: readonly Endpoint[]): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  const numbers = Object.entries(errno).map(([name, number]) => `- ${number}: ${name}`);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sonnenwarte',
      version: '0.1.0',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description: `Every call answers \`{errno, msg, result}\` in HTTP 200. Error numbers:\n${numbers.join('\n')}`,
    },
    paths,
  };
}
