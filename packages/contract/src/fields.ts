import * as z from 'zod/mini';
import { inFormat } from './formats.ts';
import { levels } from './levels.ts';

/**
 * What no text may hold: U+0000 and other control characters, halves of surrogate pairs, code points that are no characters,
 * and signs that turn the direction of what stands beside them.
 */
const plain = /^[^\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u202A-\u202E\u2066-\u2069]*$/u;
/** The same with tabs and ends of lines. */
const plainLines = /^(?:[\n\r\t]|[^\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u202A-\u202E\u2066-\u2069])*$/u;
/** No sign either that is not seen but makes two names look alike. */
const plainName = /^[^\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}\uFEFF]*$/u;

/** Whether a text holds a sign that is not seen and no text may hold. */
export const hasHiddenSign = (value: string): boolean => !plainName.test(value);

/** A text as it is, every sign of it counted. All other texts that come in build on this, `line` or `paragraph`. */
export const text = (max: number, min = 0) => z.string().check(z.minLength(min), z.maxLength(max), z.regex(plain));

/** Nothing at all, or something that is seen. */
const seen = /^$|[^\p{Cf}\p{Z}\p{M}\u115F\u1160\u2800\u3164\uFFA0]/u;

/** A text of one line, trimmed, of which something is seen; may be empty where `min` is 0. */
export const line = (max: number, min = 0) =>
  z.string().check(z.trim(), z.minLength(min), z.maxLength(max), z.regex(plainName), z.regex(seen));

/** A text of several lines, trimmed. */
export const paragraph = (max: number) => z.string().check(z.trim(), z.maxLength(max), z.regex(plainLines));

/** The text of a file, as it is; never empty. */
export const lines = (max: number) => z.string().check(z.minLength(1), z.maxLength(max), z.regex(plainLines));

/** Digits with the signs that people put between them; may be empty. */
export const phone = inFormat('phone', line(32).check(z.regex(/^(?:\+?[0-9][0-9 ()/.-]{3,31})?$/)));

/** A local day `YYYY-MM-DD` of the years that the stores know in every zone; plants are on the grid since the first of them. */
export const plantDay = () => z.iso.date().check(z.refine((day) => /^(?:19[89]\d|20\d\d)-/.test(day), 'invalid'));

/** ISO 3166-1 alpha-2. */
export const country = text(64).check(z.regex(/^[A-Z]{2}$/));

/** ISO 3166-1 alpha-2; may be empty. */
export const optionalCountry = text(64).check(z.regex(/^(?:[A-Z]{2})?$/));

/** Lower-case hex MD5 of a password, as clients of this API family send it. */
export const passwordMd5 = text(64).check(z.regex(/^[0-9a-f]{32}$/));

/** Access level of an account or of a view. */
export const level = z.union(levels.map((value) => z.literal(value)));
