import * as z from 'zod/mini';
import { levels } from './levels.ts';

/** A text of one line, trimmed, without control characters; may be empty where `min` is 0. */
export const line = (max: number, min = 0) =>
  z.string().check(z.trim(), z.minLength(min), z.maxLength(max), z.regex(/^[^\p{Cc}\u2028\u2029]*$/u));

/** A text of several lines, trimmed, without other control characters. */
export const paragraph = (max: number) =>
  z.string().check(z.trim(), z.maxLength(max), z.regex(/^(?:\P{Cc}|[\n\r\t])*$/u));

/** Digits with the signs that people put between them; may be empty. */
export const phone = z.string().check(z.trim(), z.maxLength(32), z.regex(/^(?:\+?[0-9][0-9 ()/.-]{3,31})?$/));

/** ISO 3166-1 alpha-2. */
export const country = z.string().check(z.regex(/^[A-Z]{2}$/));

/** ISO 3166-1 alpha-2; may be empty. */
export const optionalCountry = z.string().check(z.regex(/^(?:[A-Z]{2})?$/));

/** Access level of an account or of a view. */
export const level = z.union(levels.map((value) => z.literal(value)));
