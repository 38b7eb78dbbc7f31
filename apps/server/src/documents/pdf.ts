const HEAD = /^%PDF-[12]\.\d/;
const END = '%%EOF';
/** Programs put empty lines and a few bytes of their own behind the end. */
const END_WITHIN_BYTES = 2_048;

/** Whether bytes are a PDF, whole, by what they are and not by what they are called. */
export function isPdf(bytes: Buffer): boolean {
  return HEAD.test(bytes.toString('latin1', 0, 8)) && bytes.subarray(-END_WITHIN_BYTES).includes(END);
}
