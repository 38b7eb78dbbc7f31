import { parseSync } from 'vite';

/** Attributes and properties whose text a person reads or hears. */
const spoken = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'aria-valuetext',
  'caption',
  'confirmLabel',
  'description',
  'heading',
  'hint',
  'label',
  'message',
  'placeholder',
  'submitLabel',
  'summary',
  'text',
  'title',
  'tooltip',
]);

const WORD = /\p{L}{2}/u;
/** Names of things, the same in every language, and messages whose words specification 2 and 8 fix. */
const fixed = new Set([
  'Sonnenwarte',
  'OpenStreetMap',
  '· SN',
  'https://',
  'No permissions!',
  'status:404 Api Not Found',
  'status:405',
  'Method Not Allowed',
]);

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

/** Texts that an expression can have as its value; what a call makes of its arguments is not followed. */
function textsOf(node: unknown): { text: string; at: number }[] {
  if (!isNode(node)) return [];
  switch (node.type) {
    case 'Literal':
    case 'JSXText':
      return typeof node.value === 'string' ? [{ text: node.value, at: node.start }] : [];
    case 'TemplateLiteral':
      return [node.quasis, node.expressions].flat().flatMap(textsOf);
    case 'TemplateElement': {
      const { cooked } = node.value as { cooked: string };
      return [{ text: cooked, at: node.start }];
    }
    case 'ConditionalExpression':
      return [node.consequent, node.alternate].flatMap(textsOf);
    case 'LogicalExpression':
    case 'BinaryExpression':
      return node.operator === '||' || node.operator === '??' || node.operator === '+'
        ? [node.left, node.right].flatMap(textsOf)
        : node.operator === '&&'
          ? textsOf(node.right)
          : [];
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
      return textsOf(node.expression);
    default:
      return [];
  }
}

const nameOf = (node: unknown): string => {
  if (!isNode(node)) return '';
  return typeof node.name === 'string' ? node.name : typeof node.value === 'string' ? node.value : nameOf(node.name);
};

function shownBy(node: Node): { text: string; at: number }[] {
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') return [node.children].flat().flatMap(textsOf);
  if (node.type === 'JSXAttribute') return spoken.has(nameOf(node.name)) ? textsOf(node.value) : [];
  if (node.type === 'Property') return spoken.has(nameOf(node.key)) ? textsOf(node.value) : [];
  return [];
}

/**
 * Texts that a source file shows without asking the catalogues, as `line: text`: in JSX, and in attributes and
 * properties such as `label`, `title` and `text`.
 */
export function hardCodedTexts(file: string, source: string): string[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors.map((error) => error.message).join(', ')}`);
  const found: string[] = [];
  const visit = (node: Node): void => {
    for (const { text, at } of shownBy(node)) {
      const shown = text.replace(/&\w+;/g, ' ').trim();
      if (WORD.test(shown) && !fixed.has(shown)) found.push(`${source.slice(0, at).split('\n').length}: ${shown}`);
    }
    for (const child of childrenOf(node)) visit(child);
  };
  if (isNode(program)) visit(program);
  return found;
}
