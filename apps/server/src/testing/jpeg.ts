import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import encode, { init } from '@jsquash/jpeg/encode.js';

/** The bytes of a JPEG of one colour. */
export async function plainJpeg(width: number, height: number): Promise<Buffer> {
  const file = fileURLToPath(import.meta.resolve('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'));
  await init(await WebAssembly.compile(await readFile(file)));
  const data = new Uint8ClampedArray(width * height * 4).fill(200);
  return Buffer.from(await encode({ data, width, height, colorSpace: 'srgb' } as ImageData));
}

/** The same as a camera that was held upright writes it: turned by a quarter, with the place where it was taken. */
export function fromCamera(jpeg: Buffer): Buffer {
  const entry = (tag: number, type: number, count: number, value: number) => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt16LE(tag, 0);
    bytes.writeUInt16LE(type, 2);
    bytes.writeUInt32LE(count, 4);
    bytes.writeUInt32LE(value, 8);
    return bytes;
  };
  const directory = (...entries: Buffer[]) => {
    const count = Buffer.alloc(2);
    count.writeUInt16LE(entries.length);
    return Buffer.concat([count, ...entries, Buffer.alloc(4)]);
  };
  const header = Buffer.from('49492a0008000000', 'hex');
  const ORIENTATION = 0x0112;
  const GPS = 0x8825;
  const first = directory(entry(ORIENTATION, 3, 1, 6), entry(GPS, 4, 1, 8 + 30));
  // Latitude reference N, and a latitude whose three fractions follow.
  const gps = directory(entry(1, 2, 2, 0x4e), entry(2, 5, 3, 8 + 30 + 30));
  const fractions = Buffer.alloc(24);
  [48, 1, 8, 1, 30, 1].forEach((value, place) => {
    fractions.writeUInt32LE(value, place * 4);
  });
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), header, first, gps, fractions]);
  const marker = Buffer.from([0xff, 0xe1, 0, 0]);
  marker.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), marker, body, jpeg.subarray(2)]);
}
