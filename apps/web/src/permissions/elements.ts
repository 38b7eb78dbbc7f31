import { as, bare, isNode, type Node, nameOf, textOf } from './syntax.ts';

export const attributeOf = (element: Node, name: string): Node | undefined =>
  isNode(element.openingElement)
    ? [element.openingElement.attributes]
        .flat()
        .filter(isNode)
        .find((each) => nameOf(each.name) === name)
    : undefined;

export const attributeValue = (attribute: Node | undefined): Node | undefined => {
  const value = attribute?.value;
  return bare(as(value, 'JSXExpressionContainer')?.expression ?? value);
};

export const propertyOf = (object: Node, name: string): Node | undefined =>
  [object.properties]
    .flat()
    .filter(isNode)
    .find((each) => each.type === 'Property' && nameOf(each.key) === name);

/** The literal code of a `Can`, or of an action in a menu. */
export function guardIn(node: Node): Node | undefined {
  if (node.type === 'JSXElement' && isNode(node.openingElement) && nameOf(node.openingElement.name) === 'Can')
    return as(attributeValue(attributeOf(node, 'code')), 'Literal');
  if (node.type === 'ObjectExpression' && propertyOf(node, 'onSelect'))
    return as(bare(propertyOf(node, 'code')?.value), 'Literal');
  return undefined;
}

/** `false`, `undefined`, `null` and nothing: what closes a dialog. */
export const isEmpty = (node: Node | undefined): boolean =>
  node === undefined ||
  (node.type === 'Identifier' && node.name === 'undefined') ||
  (node.type === 'Literal' && (node.value === null || node.value === false || node.value === ''));

/** The parts of a condition that all have to hold, without those that hold for nothing and emptiness. */
export function conjuncts(condition: unknown): { read: Node; literal: string | undefined }[] {
  const test = bare(condition);
  if (!test) return [];
  if (test.type === 'LogicalExpression')
    return test.operator === '&&' ? [...conjuncts(test.left), ...conjuncts(test.right)] : [];
  if (test.type !== 'BinaryExpression') return [{ read: test, literal: undefined }];
  const [left, right] = [bare(test.left), bare(test.right)];
  const literal = textOf(right);
  if (!left || !(test.operator === '===' ? literal !== undefined : test.operator === '!==' && isEmpty(right)))
    return [];
  return [{ read: left, literal: test.operator === '===' ? literal : undefined }];
}
