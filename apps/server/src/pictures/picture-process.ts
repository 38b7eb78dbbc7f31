import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import decodeJpeg, { init as initJpegDecoder } from '@jsquash/jpeg/decode.js';
import encodeJpeg, { init as initJpegEncoder } from '@jsquash/jpeg/encode.js';
import decodePng, { init as initPngDecoder } from '@jsquash/png/decode.js';
import encodePng, { init as initPngEncoder } from '@jsquash/png/encode.js';
import resize, { initResize } from '@jsquash/resize';
import decodeWebp, { init as initWebpDecoder } from '@jsquash/webp/decode.js';
import { LOGO_SIDE_PX } from '@sonnenwarte/contract/brands/brands';
import { LONGEST_SIDE_PX, THUMB_SIDE_PX } from '@sonnenwarte/contract/work-orders/work-order';
import { imageSize } from 'image-size';
import { coarser } from './coarser.ts';
import type { MadeLogo, MadePicture, PictureAnswer, PictureTask } from './picture-maker.ts';

/** What cameras of phones take as a rule; a picture in memory has four bytes a pixel. */
const MOST_PIXELS = 50_000_000;
const QUALITY = 82;
const WHITE = 255;

/** What the codecs hand their pixels over in; browsers have it, Node does not. */
class Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
  readonly colorSpace = 'srgb';

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}
Object.assign(globalThis, { ImageData: Pixels });

const compiled = async (name: string): Promise<WebAssembly.Module> =>
  WebAssembly.compile(await readFile(fileURLToPath(import.meta.resolve(name))));

const decoders = {
  jpg: async (bytes: ArrayBuffer) => {
    await initJpegDecoder(await compiled('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'));
    // As it was held: what says so goes with all else that its file told.
    return decodeJpeg(bytes, { preserveOrientation: true });
  },
  png: async (bytes: ArrayBuffer) => {
    await initPngDecoder(await compiled('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'));
    return decodePng(bytes);
  },
  webp: async (bytes: ArrayBuffer) => {
    await initWebpDecoder(await compiled('@jsquash/webp/codec/dec/webp_dec.wasm'));
    return decodeWebp(bytes);
  },
} as const;

const isTaken = (type: string | undefined): type is keyof typeof decoders => type !== undefined && type in decoders;

async function decoded(bytes: Uint8Array, taken: readonly string[]): Promise<ImageData | 'unreadable' | 'tooLarge'> {
  let told: ReturnType<typeof imageSize>;
  try {
    told = imageSize(bytes);
  } catch {
    return 'unreadable';
  }
  if (!isTaken(told.type) || !taken.includes(told.type)) return 'unreadable';
  if (told.width * told.height > MOST_PIXELS) return 'tooLarge';
  try {
    const own = new Uint8Array(bytes);
    return await decoders[told.type](own.buffer);
  } catch {
    return 'unreadable';
  }
}

/** On white where it is seen through. */
function onWhite(image: ImageData): ImageData {
  const { data } = image;
  for (let at = 0; at < data.length; at += 4) {
    const alpha = (data[at + 3] ?? WHITE) / WHITE;
    if (alpha === 1) continue;
    for (let channel = at; channel < at + 3; channel += 1) {
      data[channel] = Math.round((data[channel] ?? 0) * alpha + WHITE * (1 - alpha));
    }
    data[at + 3] = WHITE;
  }
  return image;
}

async function within(image: ImageData, longestPx: number): Promise<ImageData> {
  const scale = longestPx / Math.max(image.width, image.height);
  if (scale >= 1) return image;
  const side = (px: number) => Math.max(1, Math.round(px * scale));
  const whole = Math.floor(1 / scale);
  const near = whole > 1 && Math.min(image.width, image.height) >= whole ? coarser(image, whole) : image;
  return resize(near as ImageData, {
    width: side(image.width),
    height: side(image.height),
    method: 'triangle',
    linearRGB: false,
  });
}

const encoded = async (image: ImageData): Promise<Uint8Array> =>
  new Uint8Array(await encodeJpeg(image, { quality: QUALITY }));

async function photoOf(bytes: Uint8Array): Promise<MadePicture | 'unreadable' | 'tooLarge'> {
  const image = await decoded(bytes, ['jpg', 'png', 'webp']);
  if (typeof image === 'string') return image;
  const full = onWhite(await within(image, LONGEST_SIDE_PX));
  const { width, height } = full;
  return { content: await encoded(full), thumb: await encoded(await within(full, THUMB_SIDE_PX)), width, height };
}

async function logoOf(bytes: Uint8Array): Promise<MadeLogo | 'unreadable' | 'tooLarge'> {
  const image = await decoded(bytes, ['jpg', 'png']);
  if (typeof image === 'string') return image;
  const small = await within(image, LOGO_SIDE_PX);
  await initPngEncoder(await compiled('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'));
  return { content: new Uint8Array(await encodePng(small)), width: small.width, height: small.height };
}

const makers = { photo: photoOf, logo: logoOf } as const;

await initResize(await compiled('@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm'));
await initJpegEncoder(await compiled('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'));

process.on('message', async ({ id, bytes, use }: PictureTask) => {
  const answer: PictureAnswer = { id, made: await makers[use](bytes) };
  process.send?.(answer);
});
process.on('disconnect', () => process.exit());
