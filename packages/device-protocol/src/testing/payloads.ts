import fc from 'fast-check';
import { DataType } from '../sparkplug/datatypes.ts';
import {
  type DataSet,
  type MetricMetadata,
  type MetricValue,
  type PropertySet,
  type PropertyValue,
  SparkplugDecodeError,
  type SparkplugMetric,
  type SparkplugPayload,
} from '../sparkplug/sparkplug-payload.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 60 });
const float = fc.float({ noNaN: true }).map(Math.fround);
const narrowed = (value: bigint): number | bigint => (Number.isSafeInteger(Number(value)) ? Number(value) : value);
const signed64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(narrowed);
const unsigned64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(narrowed);
const bytes = fc.uint8Array({ maxLength: 80 });

const scalars = new Map<number, fc.Arbitrary<number | bigint | boolean | string>>([
  [DataType.Int8, fc.integer({ min: -128, max: 127 })],
  [DataType.Int16, fc.integer({ min: -32_768, max: 32_767 })],
  [DataType.Int32, fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })],
  [DataType.Int64, signed64],
  [DataType.UInt8, fc.integer({ min: 0, max: 255 })],
  [DataType.UInt16, fc.integer({ min: 0, max: 65_535 })],
  [DataType.UInt32, fc.integer({ min: 0, max: 2 ** 32 - 1 })],
  [DataType.UInt64, unsigned64],
  [DataType.Float, float],
  [DataType.Double, fc.double({ noNaN: true })],
  [DataType.Boolean, fc.boolean()],
  [DataType.String, text],
  [DataType.DateTime, unsigned64],
  [DataType.Text, text],
  [DataType.UUID, fc.uuid()],
]);

const plainText = text.map((value) => value.replaceAll('\0', ''));
const arrays: [number, fc.Arbitrary<MetricValue>][] = [
  [DataType.Int8Array, fc.array(fc.integer({ min: -128, max: 127 }))],
  [DataType.Int16Array, fc.array(fc.integer({ min: -32_768, max: 32_767 }))],
  [DataType.Int32Array, fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }))],
  [DataType.Int64Array, fc.array(signed64)],
  [DataType.UInt8Array, fc.array(fc.integer({ min: 0, max: 255 }))],
  [DataType.UInt16Array, fc.array(fc.integer({ min: 0, max: 65_535 }))],
  [DataType.UInt32Array, fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 }))],
  [DataType.UInt64Array, fc.array(unsigned64)],
  [DataType.FloatArray, fc.array(float)],
  [DataType.DoubleArray, fc.array(fc.double({ noNaN: true }))],
  [DataType.BooleanArray, fc.array(fc.boolean(), { maxLength: 40 })],
  [DataType.StringArray, fc.array(plainText)],
  [DataType.DateTimeArray, fc.array(unsigned64)],
];

const scalarOfType = fc
  .constantFrom(...scalars.keys())
  .chain((type) => (scalars.get(type) ?? fc.constant(0)).map((value) => ({ type, value })));

const dataSet: fc.Arbitrary<DataSet> = fc
  .array(fc.record({ name: text, type: fc.constantFrom(...scalars.keys()) }), { maxLength: 5 })
  .chain((columns) =>
    fc
      .array(fc.tuple(...columns.map(({ type }) => fc.option(scalars.get(type) ?? fc.constant(0)))), { maxLength: 6 })
      .map((rows) => ({ columns: columns.map(({ name }) => name), types: columns.map(({ type }) => type), rows })),
  );

const property: fc.Arbitrary<PropertyValue> = fc.letrec<{ value: PropertyValue; set: PropertySet }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 2 },
    scalarOfType,
    scalarOfType.map(({ type }) => ({ type, value: null })),
    tie('set').map((value) => ({ type: DataType.PropertySet, value })),
    fc.array(tie('set'), { maxLength: 2 }).map((value) => ({ type: DataType.PropertySetList, value })),
  ),
  set: fc.dictionary(text, tie('value'), { maxKeys: 3 }),
})).value;

const metadata: fc.Arbitrary<MetricMetadata> = fc.record(
  {
    isMultiPart: fc.boolean(),
    contentType: text,
    size: fc.nat(),
    seq: fc.nat(),
    fileName: text,
    fileType: text,
    md5: text,
    description: text,
  },
  { requiredKeys: [] },
);

export const typedValue: fc.Arbitrary<{ datatype: number; value: MetricValue }> = fc.oneof(
  scalarOfType.map(({ type, value }) => ({ datatype: type, value })),
  fc.constantFrom(DataType.Bytes, DataType.File).chain((datatype) => bytes.map((value) => ({ datatype, value }))),
  dataSet.map((value) => ({ datatype: DataType.DataSet, value })),
  fc.constantFrom(...arrays).chain(([datatype, values]) => values.map((value) => ({ datatype, value }))),
);

const metric: fc.Arbitrary<SparkplugMetric> = fc
  .tuple(
    typedValue,
    fc.boolean(),
    fc.record(
      {
        name: text,
        alias: fc.maxSafeNat(),
        timestampMs: fc.maxSafeNat(),
        isHistorical: fc.boolean(),
        isTransient: fc.boolean(),
        metadata,
        properties: fc.dictionary(text, property, { maxKeys: 4 }),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([{ datatype, value }, isNull, rest]) =>
    isNull ? { ...rest, datatype, isNull, value: null } : { ...rest, datatype, value },
  );

export const payload: fc.Arbitrary<SparkplugPayload> = fc.record(
  {
    timestampMs: fc.maxSafeNat(),
    seq: fc.integer({ min: 0, max: 255 }),
    metrics: fc.array(metric, { maxLength: 8 }),
    body: bytes,
  },
  { requiredKeys: ['metrics'] },
);

export function reasonOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof SparkplugDecodeError) return error.reason;
    throw error;
  }
  return 'accepted';
}

export function sample(): SparkplugPayload {
  return {
    timestampMs: 1_760_000_000_000,
    seq: 7,
    metrics: [{ name: 'AC/ActivePower', alias: 3, datatype: DataType.Float, value: 1234.5 }],
  };
}
