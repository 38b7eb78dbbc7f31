/** As much of a page's node as React asks of one that only shows texts: for tests, where there is no browser. */
export interface PageNode {
  readonly nodeType: number;
  readonly children: PageNode[];
  nodeValue: string;
  text: () => string;
}

const ELEMENT = 1;
const TEXT = 3;
const DOCUMENT = 9;

export function pageNode(nodeName: string, nodeType: number, value = ''): PageNode {
  const children: PageNode[] = [];
  const take = (child: PageNode) => {
    const index = children.indexOf(child);
    if (index >= 0) children.splice(index, 1);
  };
  const node = {
    nodeName,
    tagName: nodeName,
    nodeType,
    children,
    nodeValue: value,
    style: {} as Record<string, string>,
    namespaceURI: 'http://www.w3.org/1999/xhtml',
    ownerDocument: undefined as unknown,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    setAttribute: () => undefined,
    removeAttribute: () => undefined,
    createElement: (name: string) => pageNode(name, ELEMENT),
    createTextNode: (text: string) => pageNode('#text', TEXT, text),
    appendChild: (child: PageNode) => {
      take(child);
      children.push(child);
      return child;
    },
    insertBefore: (child: PageNode, before: PageNode) => {
      take(child);
      children.splice(children.indexOf(before), 0, child);
      return child;
    },
    removeChild: (child: PageNode) => {
      take(child);
      return child;
    },
    set textContent(text: string) {
      children.length = 0;
      if (text !== '') children.push(pageNode('#text', TEXT, text));
    },
    text: (): string => (nodeType === TEXT ? node.nodeValue : children.map((child) => child.text()).join('')),
  };
  node.ownerDocument = nodeType === DOCUMENT ? node : globalThis.document;
  return node;
}
