import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { line, paragraph } from '../fields.ts';
import type { Level } from '../levels.ts';
import { LONGEST_TEXT } from './work-order.ts';

const operators = [2, 3, 4, 255] as const satisfies readonly Level[];

/** An organisation keeps so many. */
export const MOST_ANSWER_TEMPLATES = 100;

/** Words in braces that stand for what an order says. */
export const templateWords = ['name', 'number', 'plant'] as const;

/** A text that answers begin with: of the caller's organisation, or of one above. */
export const answerTemplate = z.object({
  templateID: z.string(),
  name: z.string(),
  text: z.string(),
  organisation: z.string(),
  can: z.object({ edit: z.boolean() }),
});
export type AnswerTemplate = z.infer<typeof answerTemplate>;

const entered = {
  name: line(64, 1),
  text: paragraph(LONGEST_TEXT).check(z.minLength(1)),
};

export const templates = endpoint({
  method: 'GET',
  path: '/ticket/v0/template/list',
  feature: 'work-orders',
  summary: 'Templates of answers that the caller can use, by name.',
  callers: operators,
  input: z.object({}),
  result: z.object({ templates: z.array(answerTemplate) }),
});

export const addTemplate = endpoint({
  method: 'POST',
  path: '/ticket/v0/template/add',
  feature: 'work-orders',
  summary: 'Keeps a template of answers for the caller’s organisation and those below.',
  callers: operators,
  changes: ['work-orders'],
  input: z.object(entered),
  result: z.object({ templateID: z.string() }),
});

export const editTemplate = endpoint({
  method: 'POST',
  path: '/ticket/v0/template/edit',
  feature: 'work-orders',
  summary: 'Changes a template of answers of the caller’s organisation.',
  callers: operators,
  changes: ['work-orders'],
  input: z.object({ id: z.uuid(), ...entered }),
  result: z.object({}),
  names: { id: 'answerTemplate' },
});

export const removeTemplate = endpoint({
  method: 'POST',
  path: '/ticket/v0/template/delete',
  feature: 'work-orders',
  summary: 'Deletes a template of answers of the caller’s organisation.',
  callers: operators,
  changes: ['work-orders'],
  input: z.object({ id: z.uuid() }),
  result: z.object({}),
  names: { id: 'answerTemplate' },
});

export const answerTemplateEndpoints = { templates, addTemplate, editTemplate, removeTemplate } as const;
