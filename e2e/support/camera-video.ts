import { closeSync, openSync, writeSync } from 'node:fs';
import { encode } from 'uqr';

const WIDTH = 640;
const HEIGHT = 480;
const FRAMES_PER_CODE = 8;
const WHITE = 235;
const BLACK = 16;

/** What a label shows: dark squares of a grid, or dark bars. */
type Picture = (x: number, y: number) => boolean;

const MARGIN = 4;

/** A QR code in the middle of the picture. */
export function qrPicture(text: string): Picture {
  const { data, size } = encode(text, { border: 0 });
  const scale = Math.floor(HEIGHT / (size + 2 * MARGIN));
  const [left, top] = [(WIDTH - size * scale) >> 1, (HEIGHT - size * scale) >> 1];
  return (x, y) => data[Math.floor((y - top) / scale)]?.[Math.floor((x - left) / scale)] === true;
}

/** Digits of Code 39 by ISO/IEC 16388: bars and spaces in turn, 1 = wide. */
const code39: Readonly<Record<string, string>> = {
  '0': '000110100',
  '1': '100100001',
  '2': '001100001',
  '3': '101100000',
  '4': '000110001',
  '5': '100110000',
  '6': '001110000',
  '7': '000100101',
  '8': '100100100',
  '9': '001100100',
  '*': '010010100',
};

/** A bar code of digits across the picture. */
export function barPicture(digits: string): Picture {
  const columns = [...`*${digits}*`].flatMap((sign) => [
    ...[...(code39[sign] ?? '')].flatMap((wide, at) => Array<boolean>(wide === '1' ? 3 : 1).fill(at % 2 === 0)),
    false,
  ]);
  const scale = Math.floor(WIDTH / (columns.length + 20));
  const left = (WIDTH - columns.length * scale) >> 1;
  return (x, y) => y > 140 && y < 340 && columns[Math.floor((x - left) / scale)] === true;
}

/** Writes a film for Chromium's camera that is none: each picture for some frames, again and again. */
export function writeCameraVideo(file: string, pictures: readonly Picture[]): void {
  const out = openSync(file, 'w');
  writeSync(out, `YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`);
  const colourless = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  for (const isDark of pictures) {
    const light = Buffer.alloc(WIDTH * HEIGHT, WHITE);
    for (let y = 0; y < HEIGHT; y++) for (let x = 0; x < WIDTH; x++) if (isDark(x, y)) light[y * WIDTH + x] = BLACK;
    for (let frame = 0; frame < FRAMES_PER_CODE; frame++) {
      writeSync(out, 'FRAME\n');
      writeSync(out, light);
      writeSync(out, colourless);
    }
  }
  closeSync(out);
}
