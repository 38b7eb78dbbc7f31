import { inflateSync } from 'node:zlib';

const HEADER = 44;
const ENTRY = 20;
const SFNT_HEADER = 12;
const SFNT_ENTRY = 16;

const padded = (length: number): number => (length + 3) & ~3;

/**
 * The font within a WOFF 1.0 file (W3C), its tables unpacked once: what reads the packed one unpacks a table again for each sign.
 */
export function unpackedFont(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('not a WOFF file');
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, place) => {
    const at = HEADER + place * ENTRY;
    const offset = woff.readUInt32BE(at + 4);
    const packedLength = woff.readUInt32BE(at + 8);
    const length = woff.readUInt32BE(at + 12);
    const packed = woff.subarray(offset, offset + packedLength);
    const content = packedLength < length ? inflateSync(packed, { maxOutputLength: length }) : packed;
    return { tag: woff.subarray(at, at + 4), checksum: woff.readUInt32BE(at + 16), content };
  });
  const start = SFNT_HEADER + count * SFNT_ENTRY;
  const whole = Buffer.alloc(tables.reduce((size, { content }) => size + padded(content.length), start));
  const power = Math.floor(Math.log2(count));
  woff.copy(whole, 0, 4, 8);
  whole.writeUInt16BE(count, 4);
  whole.writeUInt16BE(2 ** power * SFNT_ENTRY, 6);
  whole.writeUInt16BE(power, 8);
  whole.writeUInt16BE((count - 2 ** power) * SFNT_ENTRY, 10);
  let offset = start;
  for (const [place, { tag, checksum, content }] of tables.entries()) {
    const at = SFNT_HEADER + place * SFNT_ENTRY;
    tag.copy(whole, at);
    whole.writeUInt32BE(checksum, at + 4);
    whole.writeUInt32BE(offset, at + 8);
    whole.writeUInt32BE(content.length, at + 12);
    content.copy(whole, offset);
    offset += padded(content.length);
  }
  return whole;
}
