import { propertyOf } from './elements.ts';
import { as, type Binding, bare, declaredBy, isFunction, isNode, type Node, nameOf, type Source } from './syntax.ts';

/** A node of a file. */
export interface Place {
  readonly source: Source;
  readonly node: Node;
}

export const lineOf = ({ source, node }: Place): string =>
  `${source.file}:${source.text.slice(0, node.start).split('\n').length}`;

/** All files as one: which places lead to another, across functions, components and files. */
export class References {
  private readonly sources: readonly Source[];
  private readonly byFile: ReadonlyMap<string, Source>;

  constructor(sources: readonly Source[]) {
    this.sources = sources;
    this.byFile = new Map(sources.map((source) => [source.file, source]));
  }

  isExported(source: Source, binding: Binding): boolean {
    return source.exports.get(binding.name) === binding;
  }

  /** Where a name is used; `undefined` for what is exported and used by nobody who is known. */
  waysToName(source: Source, binding: Binding | undefined): Place[] | undefined {
    if (!binding) return undefined;
    const here = binding.references.map((node) => ({ source, node }));
    if (!this.isExported(source, binding)) return here;
    const elsewhere = this.sources.flatMap((other) => [
      ...other.bindings.flatMap(({ imported, references }) =>
        imported?.from === source.file && (imported.name === binding.name || imported.name === '*')
          ? references.map((node) => ({ source: other, node }))
          : [],
      ),
      ...other.dynamic.flatMap(({ from, name, nodes }) =>
        from === source.file && (name === binding.name || name === '*')
          ? nodes.map((node) => ({ source: other, node }))
          : [],
      ),
    ]);
    const all = [...here, ...elsewhere];
    return all.length === 0 ? undefined : all;
  }

  nameOfFunction({ bindingOf, parentOf }: Source, node: Node): Binding | undefined {
    if (node.type === 'FunctionDeclaration' && isNode(node.id)) return bindingOf.get(node.id);
    const parent = parentOf.get(node);
    return parent?.type === 'VariableDeclarator' && isNode(parent.id) ? bindingOf.get(parent.id) : undefined;
  }

  /** The function that a name stands for, in this file or, imported at once or later, in another. */
  functionOf(source: Source, binding: Binding): Place | undefined {
    const { parentOf, dynamic } = source;
    const declaration = parentOf.get(binding.declared);
    if (declaration?.type === 'FunctionDeclaration' && declaration.id === binding.declared)
      return { source, node: declaration };
    const init = declaration?.type === 'VariableDeclarator' ? bare(declaration.init) : undefined;
    if (init && isFunction(init)) return { source, node: init };
    if (init?.type === 'CallExpression' && declaration?.id === binding.declared) {
      const made = this.madeBy(source, init);
      if (made) return made;
    }
    const later = dynamic.find(
      ({ nodes }) => init && nodes.some(({ start, end }) => start > init.start && end < init.end),
    );
    const { from, name } = binding.imported ?? later ?? {};
    const other = from === undefined ? undefined : this.byFile.get(from);
    const exported = name === undefined ? undefined : other?.exports.get(name);
    return other && exported ? this.functionOf(other, exported) : undefined;
  }

  /** The name under which a component takes what an attribute gives it. */
  propertyGiven(source: Source, node: Node): { source: Source; binding: Binding } | undefined {
    const { parentOf, bindingOf } = source;
    const attribute = as(parentOf.get(parentOf.get(node) ?? node), 'JSXAttribute');
    const element = attribute && parentOf.get(attribute);
    const component = isNode(element?.name) ? bindingOf.get(element.name) : undefined;
    const made = component && this.functionOf(source, component);
    const pattern = made && as([made.node.params].flat()[0], 'ObjectPattern');
    const taken = pattern && propertyOf(pattern, nameOf(attribute?.name) ?? '');
    const [id] = declaredBy(taken);
    const binding = id && made?.source.bindingOf.get(id);
    return made && binding ? { source: made.source, binding } : undefined;
  }

  /** Where a function is called, also by components that are given it; without `call` where that cannot be told. */
  callsOf(source: Source, { references }: Binding): (Place & { call?: Node })[] {
    return references.flatMap((node) => {
      const parent = source.parentOf.get(node);
      if (parent?.type === 'CallExpression' && parent.callee === node) return [{ source, node, call: parent }];
      const given = this.propertyGiven(source, node);
      return given ? this.callsOf(given.source, given.binding) : [{ source, node }];
    });
  }

  /** A field of what a hook returns is reached where the callers take it out by name. */
  waysToReturned(source: Source, property: Node): Place[] | undefined {
    const { parentOf } = source;
    const object = parentOf.get(property);
    const statement = object && parentOf.get(object);
    if (object?.type !== 'ObjectExpression' || statement?.type !== 'ReturnStatement') return undefined;
    let owner: Node | undefined = statement;
    while (owner && !isFunction(owner)) owner = parentOf.get(owner);
    const named = owner && this.nameOfFunction(source, owner);
    if (!named) return undefined;
    const field = nameOf(property.key);
    return this.waysToName(source, named)?.flatMap((way) => {
      const call = way.source.parentOf.get(way.node);
      const declarator = call && way.source.parentOf.get(call);
      const pattern = declarator?.type === 'VariableDeclarator' ? as(declarator.id, 'ObjectPattern') : undefined;
      if (call?.type !== 'CallExpression' || call.callee !== way.node || !pattern) return [way];
      const taken = [pattern.properties].flat().filter(isNode);
      if (taken.some(({ type }) => type === 'RestElement')) return [way];
      return taken
        .filter(({ key }) => nameOf(key) === field)
        .flatMap(declaredBy)
        .flatMap((id) => this.waysToName(way.source, way.source.bindingOf.get(id)) ?? []);
    });
  }

  /** The function that a call answers with. */
  madeBy(source: Source, call: Node): Place | undefined {
    const called = isNode(call.callee) ? source.bindingOf.get(call.callee) : undefined;
    const maker = called && this.functionOf(source, called);
    const body = maker && bare(maker.node.body);
    if (!maker || !body) return undefined;
    const last = body.type === 'BlockStatement' ? as([body.body].flat().at(-1), 'ReturnStatement')?.argument : body;
    const made = bare(last);
    return made && isFunction(made) ? { source: maker.source, node: made } : undefined;
  }

  /** Where a function that is given to another as an argument is used there. */
  waysToArgument(source: Source, call: Node, argument: Node): Place[] | undefined {
    const isLater =
      isFunction(argument) ||
      argument.type === 'Identifier' ||
      (argument.type === 'CallExpression' && this.madeBy(source, argument));
    const called = isNode(call.callee) ? source.bindingOf.get(call.callee) : undefined;
    const taker = isLater && called ? this.functionOf(source, called) : undefined;
    const parameter = as(taker && [taker.node.params].flat()[[call.arguments].flat().indexOf(argument)], 'Identifier');
    const binding = parameter && taker?.source.bindingOf.get(parameter);
    return taker && binding?.references.map((node) => ({ source: taker.source, node }));
  }
}
