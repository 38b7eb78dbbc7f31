/** An element of a document: its name without a prefix, what stands in it, and its text where that is all. */
export interface XmlElement {
  readonly name: string;
  readonly children: XmlElement[];
  text: string;
}

const DEEPEST = 16;
const MOST_ELEMENTS = 200_000;
const TOKEN = /<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<\/([\w.:-]+)\s*>|<([\w.:-]+)(?:\s[^<>]*?)?(\/?)>|[^<]+/y;
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

const plainText = (raw: string): string =>
  raw.replaceAll(/&(\w+);/g, (all, name: string) => entities[name] ?? all).trim();

/**
 * Reads documents as the services of markets send them: elements and texts. It knows neither attributes nor declarations of types, and so no entities
 * of their own; whatever is not of that shape is refused by an error.
 */
export function readXml(document: string): XmlElement {
  const top: XmlElement = { name: '', children: [], text: '' };
  const open: XmlElement[] = [top];
  let elements = 0;
  TOKEN.lastIndex = 0;
  const text = document.startsWith('\uFEFF') ? document.slice(1) : document;
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text);
    if (found === null) throw new Error('it is no XML of elements and texts');
    const [token, closed, opened, isEmpty] = found;
    const inside = open.at(-1) ?? top;
    if (closed !== undefined) {
      if (open.length < 2 || inside.name !== localName(closed)) throw new Error('an element of it is not closed');
      open.pop();
    } else if (opened !== undefined) {
      elements += 1;
      if (elements > MOST_ELEMENTS || open.length > DEEPEST) throw new Error('it has too many elements');
      const element = { name: localName(opened), children: [], text: '' };
      inside.children.push(element);
      if (isEmpty === '') open.push(element);
    } else if (!token.startsWith('<')) inside.text += plainText(token);
  }
  const [root] = top.children;
  if (open.length > 1 || root === undefined || top.children.length > 1 || top.text !== '') {
    throw new Error('it is no whole XML document');
  }
  return root;
}

/** The elements of a name that stand in one. */
export const childrenOf = ({ children }: XmlElement, name: string): XmlElement[] =>
  children.filter((child) => child.name === name);

/** The text at a path of names; undefined where there is none. */
export function textAt(element: XmlElement, ...path: readonly string[]): string | undefined {
  let at: XmlElement | undefined = element;
  for (const name of path) at = at?.children.find((child) => child.name === name);
  return at?.text;
}
