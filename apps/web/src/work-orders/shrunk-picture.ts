import { LONGEST_SIDE_PX, MOST_PICTURE_BYTES } from '@sonnenwarte/contract/work-orders/work-order';

const QUALITY = 0.85;
/** What is not larger than this goes as it is. */
const SMALL_BYTES = 1_000_000;

/**
 * A picture as small as it is kept, so that it takes seconds on a phone's line and tells nobody on its way where it was taken; as it is where
 * the browser cannot read it, which the server then judges.
 */
export async function shrunkPicture(file: Blob): Promise<Blob> {
  let image: ImageBitmap;
  try {
    image = await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    return file;
  }
  try {
    const scale = Math.min(1, LONGEST_SIDE_PX / Math.max(image.width, image.height));
    if (scale === 1 && file.size <= SMALL_BYTES) return file;
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(image.width * scale));
    canvas.height = Math.max(1, Math.round(image.height * scale));
    const paper = canvas.getContext('2d');
    if (paper === null) return file;
    paper.fillStyle = 'white';
    paper.fillRect(0, 0, canvas.width, canvas.height);
    paper.drawImage(image, 0, 0, canvas.width, canvas.height);
    const made = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
    return made !== null && made.size <= MOST_PICTURE_BYTES ? made : file;
  } finally {
    image.close();
  }
}
