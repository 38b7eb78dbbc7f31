import type { Endpoint, Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { eachWithin, usualPatience } from '../stores/patience.ts';
import { CallError } from './call-error.ts';
import { FileSlots } from './file-slots.ts';
import { type Api, asDeclared, type ContextOf, contextOf, parseInput, untilClosed } from './serve.ts';

type UploadEndpoint = Endpoint & { readonly upload: NonNullable<Endpoint['upload']> };

/** A file that came with a call. What its sender says of it, name and type, is not believed and not kept. */
export interface ReceivedFile {
  readonly bytes: Buffer;
}

interface Received {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly file: ReceivedFile;
}

const MOST_FIELDS = 20;
const MOST_FIELD_BYTES = 64 * 1024;

const uploadSlots = new WeakMap<FastifyInstance, FileSlots>();

/** Files that come in at a time for one account, each of which is held until it is whole. */
function slotsOf({ fastify }: Api): FileSlots {
  const slots = uploadSlots.get(fastify) ?? new FileSlots();
  uploadSlots.set(fastify, slots);
  return slots;
}

const missing = () => new CallError('refusedInput', { fields: [{ path: 'file', reason: 'required', params: {} }] });

/** Fields come before the file; what comes after it is not read. */
async function received(
  request: FastifyRequest,
  { upload: { mostBytes, tooLarge } }: UploadEndpoint,
): Promise<Received> {
  if (!request.isMultipart()) throw missing();
  const part = await request.file({
    limits: { fileSize: mostBytes, files: 1, fields: MOST_FIELDS, fieldSize: MOST_FIELD_BYTES, parts: MOST_FIELDS + 1 },
    throwFileSizeLimit: false,
  });
  if (part === undefined || part.fieldname !== 'file') throw missing();
  const bytes = await part.toBuffer();
  if (part.file.truncated) throw new CallError(tooLarge);
  const fields = Object.entries(part.fields).flatMap(([name, field]) =>
    field !== undefined && 'value' in field ? [[name, field.value]] : [],
  );
  return { fields: Object.fromEntries(fields), file: { bytes } };
}

/** Binds an endpoint that takes a file: multipart, its size bounded while it comes in. */
export function serveUpload<const E extends UploadEndpoint>(
  api: Api,
  endpoint: E,
  handle: (input: Parsed<E>, context: ContextOf<E>, file: ReceivedFile) => Promise<Result<E>>,
): void {
  const { write } = api.patience ?? usualPatience;
  api.fastify.route({
    method: endpoint.method,
    url: endpoint.path,
    ...asDeclared(api, endpoint),
    handler: async (request, reply) => {
      if (request.actor) untilClosed(reply, slotsOf(api).take(request.actor.accountId));
      const { fields, file } = await received(request, endpoint);
      const input = parseInput(endpoint, request, fields);
      const result = await eachWithin(write.statementMs, () => handle(input, contextOf<E>(request), file));
      return { errno: 0, msg: 'success', result: endpoint.result.parse(result) };
    },
  });
}
