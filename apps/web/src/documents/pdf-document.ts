import type { PDFDocumentProxy } from 'pdfjs-dist';

/** Where the build puts what only some documents need. */
const besides = (version: string, folder: string): string => `/assets/pdf-${version}/${folder}/`;

export interface OpenedPdf {
  readonly pages: PDFDocumentProxy;
  readonly close: () => void;
}

/** Opens a PDF; its code is fetched now. Scripts in documents are not run, and nothing is fetched that they name. */
export async function openPdf(file: Blob): Promise<OpenedPdf> {
  const [pdf, { default: workerAddress }, data] = await Promise.all([
    import('pdfjs-dist/legacy/build/pdf.mjs'),
    import('pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'),
    file.arrayBuffer(),
  ]);
  const port = new Worker(workerAddress, { type: 'module' });
  const worker = new pdf.PDFWorker({ port } as never);
  const task = pdf.getDocument({
    data,
    worker,
    enableXfa: false,
    isEvalSupported: false,
    stopAtErrors: false,
    cMapUrl: besides(pdf.version, 'cmaps'),
    cMapPacked: true,
    standardFontDataUrl: besides(pdf.version, 'standard_fonts'),
    wasmUrl: besides(pdf.version, 'wasm'),
  } as never);
  const close = () => {
    void task.destroy().finally(() => {
      worker.destroy();
      port.terminate();
    });
  };
  try {
    return { pages: await task.promise, close };
  } catch (error) {
    close();
    throw error;
  }
}
