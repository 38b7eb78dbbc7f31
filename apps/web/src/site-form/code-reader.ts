/** Reads the codes in a picture of the camera. */
export interface CodeReader {
  readonly read: (video: HTMLVideoElement) => Promise<readonly string[]>;
  readonly end: () => void;
}

interface Detector {
  detect(picture: HTMLVideoElement): Promise<readonly { rawValue: string }[]>;
}
interface DetectorClass {
  new (options: { formats: readonly string[] }): Detector;
  getSupportedFormats(): Promise<readonly string[]>;
}

const NEEDED = ['qr_code', 'code_128', 'code_39'] as const;
/** Wide enough for the bars of a label, and read in some ten milliseconds. */
const MOST_PIXELS = 1280;

/** The browser's own reader, where it has one that knows the codes of labels; else the one that comes with the portal. */
export async function openReader(): Promise<CodeReader> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass };
  const formats = await BarcodeDetector?.getSupportedFormats().catch((): readonly string[] => []);
  if (BarcodeDetector && NEEDED.every((format) => formats?.includes(format))) {
    const detector = new BarcodeDetector({ formats: NEEDED });
    return {
      read: async (video) => (await detector.detect(video)).map(({ rawValue }) => rawValue),
      end: () => undefined,
    };
  }
  return ownReader();
}

type Answer = { readonly texts: readonly string[] } | { readonly error: string };

function ownReader(): CodeReader {
  const worker = new Worker(new URL('./code-worker.ts', import.meta.url), { type: 'module', name: 'codes' });
  return {
    read: async (video) => {
      const scale = Math.min(1, MOST_PIXELS / Math.max(video.videoWidth, 1));
      const picture = await createImageBitmap(video, {
        resizeWidth: Math.max(1, Math.round(video.videoWidth * scale)),
        resizeHeight: Math.max(1, Math.round(video.videoHeight * scale)),
      });
      return new Promise((resolve, reject) => {
        const { signal, abort } = ending();
        const done = (settle: () => void) => {
          abort();
          settle();
        };
        worker.addEventListener(
          'message',
          ({ data }: MessageEvent<Answer>) =>
            done(() => ('texts' in data ? resolve(data.texts) : reject(new Error(data.error)))),
          { signal },
        );
        worker.addEventListener('error', () => done(() => reject(new Error('the reader did not start'))), { signal });
        worker.postMessage(picture, [picture]);
      });
    },
    end: () => worker.terminate(),
  };
}

function ending() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
