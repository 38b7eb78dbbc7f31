import { brandLineOf, LINE, MUTED, OWN_COLOUR } from './colours.ts';
import { HEIGHT, INNER, MARGIN, type TaggedPage, WIDTH } from './page.ts';

const LOGO = 22;
const MOST_LOGO_WIDTH = 130;

/** What a paper bears on top. */
export interface PaperBrand {
  readonly name: string;
  /** Empty where it is the portal's own. */
  readonly colour: string;
  readonly logo: { readonly content: Uint8Array; readonly width: number; readonly height: number } | null;
}

/** The portal's own mark: a sun rising over a watch line. */
function drawOwnMark(page: TaggedPage, x: number, y: number): void {
  page.doc
    .save()
    .translate(x, y)
    .scale(LOGO / 32);
  page.doc.roundedRect(0, 0, 32, 32, 9).fill(OWN_COLOUR);
  page.doc.path('M8 21.5a8 8 0 0 1 16 0z').fill('#f6b73c');
  page.doc.lineCap('round').lineWidth(2.2).strokeColor('#f6b73c');
  page.doc.path('M16 9.5V6M7.9 13.1 5.5 10.7M24.1 13.1l2.4-2.4').stroke();
  page.doc.strokeColor('#ffffff').path('M5 21.5h22').stroke();
  page.doc.strokeColor('#8fd3d4').path('M11 26h10').stroke().restore();
}

/** The brand at the left, what the paper is at the right, a line below. */
export function drawHead(page: TaggedPage, heading: string, brand: PaperBrand): void {
  const top = 33;
  page.decoration((doc) => {
    doc.rect(MARGIN, 66, INNER, 1.5).fill(brandLineOf(brand.colour));
  });
  let x = MARGIN;
  const { logo } = brand;
  if (logo !== null) {
    const scale = Math.min(LOGO / logo.height, MOST_LOGO_WIDTH / logo.width);
    const [width, height] = [logo.width * scale, logo.height * scale];
    page.tag(
      page.root,
      'Figure',
      () => page.doc.image(Buffer.from(logo.content), x, top + (LOGO - height) / 2, { width, height }),
      { alt: brand.name },
    );
    x += width + 9;
  } else if (brand.colour === '') {
    page.decoration(() => drawOwnMark(page, x, top));
    x += LOGO + 9;
  }
  const right = page.widthOf(heading, { size: 9.75 });
  page.tag(page.root, 'P', () => {
    page.text(brand.name, x, top + 15.5, { size: 12.75, weight: 700, width: WIDTH - MARGIN - x - right - 12 });
  });
  page.tag(page.root, 'P', () => {
    page.text(heading, WIDTH - MARGIN, top + 15, { size: 9.75, colour: MUTED, align: 'right' });
  });
}

/** What is said of the paper, and when it was made. */
export function drawFoot(page: TaggedPage, [left, right]: readonly [string, string]): void {
  const look = { size: 7.5, colour: MUTED } as const;
  const room = INNER - page.widthOf(right, look) - 14;
  const lines = page.lines(left, room, look).slice(0, 2);
  const top = HEIGHT - 40 - (lines.length - 1) * 10;
  page.decoration((doc) => doc.rect(MARGIN, top - 16, INNER, 0.6).fill(LINE));
  page.tag(page.root, 'P', () => {
    for (const [place, line] of lines.entries()) page.text(line, MARGIN, top + place * 10, look);
  });
  page.tag(page.root, 'P', () => {
    page.text(right, WIDTH - MARGIN, top, { ...look, align: 'right' });
  });
}
