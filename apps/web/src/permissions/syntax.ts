import { posix } from 'node:path';
import { parseSync } from 'vite';

/** One node of a syntax tree (ESTree with JSX and TypeScript). */
export interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

/** A name and where it is used within its file. */
export interface Binding {
  readonly name: string;
  readonly declared: Node;
  readonly references: Node[];
  /** File or package that it comes from, and its name there. */
  readonly imported?: { readonly from: string; readonly name: string };
}

/** A source file with its names resolved. */
export interface Source {
  readonly file: string;
  readonly text: string;
  readonly nodes: readonly Node[];
  readonly parentOf: ReadonlyMap<Node, Node>;
  /** The name that an identifier declares or refers to. */
  readonly bindingOf: ReadonlyMap<Node, Binding>;
  readonly bindings: readonly Binding[];
  readonly exports: ReadonlyMap<string, Binding>;
  /** What a dynamic import takes out of a file; `*` where that cannot be told. */
  readonly dynamic: readonly { readonly from: string; readonly name: string; readonly nodes: readonly Node[] }[];
}

type Scope = Map<string, Binding> & { above?: Scope };

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

export const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

/** A node of one of the types, else `undefined`. */
export const as = (node: unknown, ...types: readonly string[]): Node | undefined =>
  isNode(node) && types.includes(node.type) ? node : undefined;

const wrappers = [
  'ParenthesizedExpression',
  'ChainExpression',
  'AwaitExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
];

/** The expression inside brackets, casts, `?.` and `await`. */
export const bare = (node: unknown): Node | undefined => {
  if (!isNode(node)) return undefined;
  return wrappers.includes(node.type) ? bare(node.expression ?? node.argument) : node;
};

export const textOf = (node: unknown): string | undefined => {
  const literal = as(node, 'Literal');
  return typeof literal?.value === 'string' ? literal.value : undefined;
};

/** Name of an identifier, a literal key or a JSX name. */
export const nameOf = (node: unknown): string | undefined =>
  isNode(node) && typeof node.name === 'string' ? node.name : textOf(node);

export const isFunction = (node: Node): boolean =>
  ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(node.type);

/** Identifiers that a pattern declares. */
export function declaredBy(pattern: unknown): Node[] {
  if (!isNode(pattern)) return [];
  switch (pattern.type) {
    case 'Identifier':
      return [pattern];
    case 'ObjectPattern':
      return [pattern.properties].flat().flatMap(declaredBy);
    case 'ArrayPattern':
      return [pattern.elements].flat().flatMap(declaredBy);
    case 'Property':
      return declaredBy(pattern.value);
    case 'AssignmentPattern':
      return declaredBy(pattern.left);
    case 'RestElement':
      return declaredBy(pattern.argument);
    default:
      return [];
  }
}

const opensScope = (node: Node): boolean =>
  isFunction(node) ||
  ['Program', 'BlockStatement', 'SwitchStatement', 'CatchClause'].includes(node.type) ||
  node.type.startsWith('For');

const isType = (node: Node): boolean => node.type.startsWith('TS') && !wrappers.includes(node.type);

/** Children in which names are used as values. */
function usedIn(node: Node): Node[] {
  const skipped: unknown[] =
    node.type === 'MemberExpression' && node.computed !== true
      ? [node.property]
      : node.type === 'Property' && node.computed !== true
        ? [node.key]
        : node.type === 'JSXAttribute'
          ? [node.name]
          : node.type === 'JSXMemberExpression'
            ? [node.property]
            : node.type === 'JSXElement'
              ? [node.closingElement]
              : [];
  return childrenOf(node).filter((child) => !isType(child) && !skipped.includes(child));
}

const resolved = (file: string, from: string): string =>
  from.startsWith('.') ? posix.join(posix.dirname(file), from) : from;

/** Reads a file and finds for every identifier which name it means. */
export function sourceOf(file: string, text: string): Source {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0 || !isNode(program)) throw new Error(`${file}: ${errors.map((error) => error.message).join()}`);
  const nodes: Node[] = [];
  const parentOf = new Map<Node, Node>();
  const bindingOf = new Map<Node, Binding>();
  const bindings: Binding[] = [];
  const exports = new Map<string, Binding>();
  const scopes = new Map<Node, Scope>();

  const declare = (scope: Scope, id: Node, imported?: Binding['imported']) => {
    const name = nameOf(id) ?? '';
    const binding: Binding = { name, declared: id, references: [], ...(imported && { imported }) };
    scope.set(name, binding);
    bindingOf.set(id, binding);
    bindings.push(binding);
  };
  const gather = (node: Node, above: Scope | undefined): void => {
    nodes.push(node);
    const own = opensScope(node) ? (new Map() as Scope) : undefined;
    if (own && above) own.above = above;
    if (own) scopes.set(node, own);
    const scope = own ?? above;
    if (!scope) return;
    if (node.type === 'FunctionDeclaration' && isNode(node.id) && above) declare(above, node.id);
    if (isFunction(node)) for (const id of [node.params].flat().flatMap(declaredBy)) declare(scope, id);
    if (node.type === 'CatchClause') for (const id of declaredBy(node.param)) declare(scope, id);
    if (node.type === 'VariableDeclarator') for (const id of declaredBy(node.id)) declare(scope, id);
    if (node.type === 'ImportDeclaration' && node.importKind !== 'type') {
      const from = resolved(file, textOf(node.source) ?? '');
      for (const specifier of [node.specifiers].flat().filter(isNode)) {
        if (specifier.importKind === 'type' || !isNode(specifier.local)) continue;
        declare(scope, specifier.local, { from, name: nameOf(specifier.imported) ?? '*' });
      }
    }
    for (const child of childrenOf(node)) {
      parentOf.set(child, node);
      gather(child, scope);
    }
  };
  const resolve = (node: Node, above: Scope | undefined): void => {
    const scope = scopes.get(node) ?? above;
    if (node.type === 'ImportDeclaration') return;
    if ((node.type === 'Identifier' || node.type === 'JSXIdentifier') && !bindingOf.has(node)) {
      for (let at = scope; at; at = at.above) {
        const binding = at.get(nameOf(node) ?? '');
        if (!binding) continue;
        binding.references.push(node);
        bindingOf.set(node, binding);
        break;
      }
    }
    for (const child of usedIn(node)) resolve(child, scope);
  };
  gather(program, undefined);
  resolve(program, undefined);

  const declaredIn = (declaration: unknown): Node[] =>
    isNode(declaration)
      ? [declaration.id, ...[declaration.declarations ?? []].flat().map((each) => isNode(each) && each.id)].flatMap(
          declaredBy,
        )
      : [];
  for (const node of nodes) {
    if (node.type !== 'ExportNamedDeclaration') continue;
    for (const id of declaredIn(node.declaration)) {
      const binding = bindingOf.get(id);
      if (binding) exports.set(binding.name, binding);
    }
  }

  const dynamic = nodes.flatMap((node) => {
    if (node.type !== 'ImportExpression') return [];
    const from = resolved(file, textOf(node.source) ?? '');
    let whole = node;
    let parent = parentOf.get(whole);
    while (parent && wrappers.includes(parent.type)) {
      whole = parent;
      parent = parentOf.get(whole);
    }
    if (parent?.type === 'MemberExpression' && parent.computed !== true && whole.type !== 'ImportExpression')
      return [{ from, name: nameOf(parent.property) ?? '*', nodes: [parent] }];
    const pattern = parent?.type === 'VariableDeclarator' ? as(parent.id, 'ObjectPattern') : undefined;
    if (!pattern) return [{ from, name: '*', nodes: [node] }];
    return [pattern.properties]
      .flat()
      .filter(isNode)
      .flatMap((property) =>
        declaredBy(property).map((id) => ({
          from,
          name: nameOf(property.key) ?? '*',
          nodes: bindingOf.get(id)?.references ?? [],
        })),
      );
  });
  return { file, text, nodes, parentOf, bindingOf, bindings, exports, dynamic };
}
