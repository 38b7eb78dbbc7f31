import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { openPdf } from './pdf-document.ts';
import styles from './viewer.module.css';

interface PagesProps {
  file: Blob;
  label: string;
  /** 1: as wide as there is room. */
  zoom: number;
  /** Which page is in view. */
  onPage: (page: { page: number; count: number }) => void;
  onUnreadable: () => void;
}

/** Pages of a PDF below each other; each is drawn when it comes near. */
export function PdfPages({ file, label, zoom, onPage, onUnreadable }: PagesProps): ReactNode {
  const [opened, setOpened] = useState<{ pages: PDFDocumentProxy; ratio: number }>();
  const told = useRef({ onPage, onUnreadable });
  told.current = { onPage, onUnreadable };
  useEffect(() => {
    let isLeft = false;
    let close: (() => void) | undefined;
    const open = async () => {
      const pdf = await openPdf(file);
      close = pdf.close;
      if (isLeft) return pdf.close();
      const { width, height } = (await pdf.pages.getPage(1)).getViewport({ scale: 1 });
      if (isLeft) return;
      setOpened({ pages: pdf.pages, ratio: height / width });
      told.current.onPage({ page: 1, count: pdf.pages.numPages });
    };
    open().catch(() => {
      if (!isLeft) told.current.onUnreadable();
    });
    return () => {
      isLeft = true;
      close?.();
    };
  }, [file]);
  if (opened === undefined) return null;
  const { pages, ratio } = opened;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <section className={styles.pages} aria-label={label} tabIndex={0}>
      {Array.from({ length: pages.numPages }, (_, at) => (
        <PdfPage
          // biome-ignore lint/suspicious/noArrayIndexKey: pages have no other name
          key={at}
          pages={pages}
          number={at + 1}
          ratio={ratio}
          zoom={zoom}
          onInView={() => told.current.onPage({ page: at + 1, count: pages.numPages })}
        />
      ))}
    </section>
  );
}

interface PageProps {
  pages: PDFDocumentProxy;
  number: number;
  /** Of the first page, until it is known. */
  ratio: number;
  zoom: number;
  onInView: () => void;
}

const NEAR = '800px 0px';
const MOST_PIXELS = 16_000_000;

const textOf = async (page: PDFPageProxy): Promise<string> => {
  const { items } = await page.getTextContent();
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
};

function PdfPage({ pages, number, ratio, zoom, onInView }: PageProps): ReactNode {
  const { t } = useTranslation();
  const place = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isNear, setNear] = useState(false);
  const [text, setText] = useState('');
  const inView = useRef(onInView);
  inView.current = onInView;

  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const root = element.parentElement;
    const near = new IntersectionObserver(([seen]) => setNear(seen?.isIntersecting ?? false), {
      root,
      rootMargin: NEAR,
    });
    const middle = new IntersectionObserver(([seen]) => seen?.isIntersecting && inView.current(), {
      root,
      rootMargin: '-50% 0px -49% 0px',
    });
    near.observe(element);
    middle.observe(element);
    return () => {
      near.disconnect();
      middle.disconnect();
    };
  }, []);

  useEffect(() => {
    const [element, paper] = [place.current, canvas.current];
    if (!isNear || element === null || paper === null) return;
    let isLeft = false;
    let cancel: (() => void) | undefined;
    const draw = async () => {
      const page = await pages.getPage(number);
      const size = page.getViewport({ scale: 1 });
      const widthPx = ((element.parentElement?.clientWidth ?? 0) - 2) * zoom;
      const density = Math.min(
        devicePixelRatio,
        Math.sqrt(MOST_PIXELS / (widthPx * widthPx * (size.height / size.width))),
      );
      const viewport = page.getViewport({ scale: (widthPx / size.width) * density });
      if (isLeft) return;
      paper.width = Math.floor(viewport.width);
      paper.height = Math.floor(viewport.height);
      paper.style.width = `${Math.floor(widthPx)}px`;
      element.style.aspectRatio = 'auto';
      element.style.width = '';
      const drawing = page.render({ canvas: paper, viewport } as never);
      cancel = () => drawing.cancel();
      await drawing.promise;
      if (!isLeft) setText(await textOf(page));
    };
    // What is cut off by a larger page or by leaving is drawn again when it is looked at.
    draw().catch(() => undefined);
    return () => {
      isLeft = true;
      cancel?.();
    };
  }, [isNear, pages, number, zoom]);

  useEffect(() => {
    const element = place.current;
    if (element !== null) element.style.aspectRatio = String(1 / ratio);
  }, [ratio]);

  return (
    <figure
      ref={place}
      className={styles.sheet}
      aria-label={t('documents.viewer.page', { page: number, count: pages.numPages })}
    >
      <canvas ref={canvas} />
      <figcaption className="visually-hidden">{text}</figcaption>
    </figure>
  );
}
