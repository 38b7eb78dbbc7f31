import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';

/** Reads codes beside the page, where alone compiled code may run: the page's own policy does not let it. */

void prepareZXingModule({
  overrides: { locateFile: () => wasmUrl },
  fireImmediately: true,
}).catch(() => undefined);

async function textsIn(picture: ImageBitmap): Promise<string[]> {
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const drawing = canvas.getContext('2d', { willReadFrequently: true });
  if (!drawing) throw new Error('no drawing');
  drawing.drawImage(picture, 0, 0);
  picture.close();
  const found = await readBarcodes(drawing.getImageData(0, 0, canvas.width, canvas.height), {
    formats: ['QRCode', 'Code128', 'Code39', 'DataMatrix'],
    maxNumberOfSymbols: 4,
  });
  return found.filter(({ isValid }) => isValid).map(({ text }) => text);
}

addEventListener('message', ({ data }: MessageEvent<ImageBitmap>) => {
  textsIn(data).then(
    (texts) => postMessage({ texts }),
    (error: unknown) => postMessage({ error: String(error) }),
  );
});
