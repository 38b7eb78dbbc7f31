import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

export interface ReadPdf {
  readonly title: string;
  readonly language: string | null;
  readonly isTagged: boolean;
  readonly pages: number;
  /** The texts of the first page, in the order in which they are read. */
  readonly text: string;
  /** Kinds of its parts, each with its alternative text. */
  readonly parts: readonly { readonly role: string; readonly alt: string | undefined }[];
  readonly pictures: number;
}

interface Node {
  readonly role?: string;
  readonly alt?: string;
  readonly children?: readonly Node[];
}

const PAINT_IMAGE = 85;

/** A PDF as a program that shows it reads it. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  try {
    const [{ info }, marks, page] = await Promise.all([pdf.getMetadata(), pdf.getMarkInfo(), pdf.getPage(1)]);
    const told = info as { Title?: string; Language?: string };
    const { items } = await page.getTextContent();
    const parts: { role: string; alt: string | undefined }[] = [];
    const visit = ({ role, alt, children = [] }: Node): void => {
      if (role !== undefined) parts.push({ role, alt });
      for (const child of children) visit(child);
    };
    visit((await page.getStructTree()) as Node);
    const { fnArray } = await page.getOperatorList();
    return {
      title: told.Title ?? '',
      language: told.Language ?? null,
      isTagged: (marks as unknown as ReadonlyMap<string, boolean> | null)?.get('Marked') === true,
      pages: pdf.numPages,
      text: items
        .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
        .join('')
        .replaceAll('\u00a0', ' '),
      parts,
      pictures: fnArray.filter((each) => each === PAINT_IMAGE).length,
    };
  } finally {
    await pdf.loadingTask.destroy();
  }
}
