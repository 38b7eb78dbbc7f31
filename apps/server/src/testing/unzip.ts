import { crc32, inflateRawSync } from 'node:zlib';

/** Files of a ZIP archive by name, read through its directory; throws where a sum or a size does not fit. */
export function unzip(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  const files = new Map<string, string>();
  for (let index = 0; index < count; index++) {
    const crc = archive.readUInt32LE(at + 16);
    const packedBytes = archive.readUInt32LE(at + 20);
    const plainBytes = archive.readUInt32LE(at + 24);
    const nameLength = archive.readUInt16LE(at + 28);
    const offset = archive.readUInt32LE(at + 42);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    if (archive.readUInt32LE(offset) !== 0x04034b50) throw new Error(`no header of ${name} at ${offset}`);
    const start = offset + 30 + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28);
    const plain = inflateRawSync(archive.subarray(start, start + packedBytes));
    if (plain.length !== plainBytes || crc32(plain) !== crc) throw new Error(`${name} is damaged`);
    files.set(name, plain.toString('utf8'));
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return files;
}
