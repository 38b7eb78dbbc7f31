import type { PermissionCode } from '@sonnenwarte/contract/permissions';
import { attributeOf, attributeValue, conjuncts, guardIn, isEmpty, propertyOf } from './elements.ts';
import { lineOf, type Place, References } from './references.ts';
import {
  as,
  type Binding,
  bare,
  declaredBy,
  isFunction,
  isNode,
  type Node,
  nameOf,
  type Source,
  textOf,
} from './syntax.ts';

/** What the contract says: endpoints by module and export, and the codes of routes by their name. */
export interface Contract {
  /** The codes of a module's endpoints by export, `undefined` where the level alone decides. */
  readonly endpointsOf: (module: string) => Readonly<Record<string, PermissionCode | undefined>>;
  readonly routeCode: (route: string) => PermissionCode | undefined;
}

/** A place that calls an endpoint, or leads to a screen, which needs a code. */
export interface Use {
  readonly source: Source;
  readonly node: Node;
  /** `module#export` of the endpoint, or `route name`. */
  readonly of: string;
  readonly code: PermissionCode;
}

/** A place that shows an element to those alone who hold a code. */
export interface Guard {
  readonly source: Source;
  /** The literal of the code, or the server's answer that stands for it. */
  readonly node: Node;
  readonly code: string;
  /** No other guard on the way, and no route, asks for the same. */
  readonly alone: boolean;
}

interface State {
  readonly setter: Binding;
  /** The field of it that is read. */
  readonly field: string | undefined;
}

/** Parts of an endpoint's description that are read without a call. */
const descriptions = ['input', 'result', 'path', 'feature'];
/** Hooks that return what acts later, so that the element which uses it counts and not the hook. */
const acting = ['useWrite', 'useEndpointForm', 'useCallback', 'lazy'];

/**
 * Looks at all sources of the web app as one: from where an endpoint is called it goes outwards, through elements,
 * functions, files and the state that opens a dialog, to every element that leads there. A way that it cannot follow
 * counts as open.
 */
export class Guarding {
  private readonly sources: readonly Source[];
  private readonly contract: Contract;
  private readonly references: References;
  private readonly refused = new Set<string>();
  private readonly asked = new Set<string>();
  private readonly openers = new Set<string>();

  constructor(sources: readonly Source[], contract: Contract) {
    this.sources = sources;
    this.contract = contract;
    this.references = new References(sources);
  }

  /** Every place that calls an endpoint with a code or links to a screen with one. */
  uses(): Use[] {
    return this.sources.flatMap((source) => [
      ...source.bindings.flatMap(({ imported, references }) => {
        if (!imported?.from.startsWith('@sonnenwarte/contract/')) return [];
        const code = this.contract.endpointsOf(imported.from)[imported.name];
        if (code === undefined) return [];
        return references
          .filter((node) => !this.describes(source, node))
          .map((node) => ({ source, node, of: `${imported.from}#${imported.name}`, code }));
      }),
      ...source.nodes.flatMap((node) => {
        if (node.type !== 'JSXElement' || nameOf((node.openingElement as Node).name) !== 'ScreenLink') return [];
        const route = textOf(attributeValue(attributeOf(node, 'to'))) ?? '';
        const code = this.contract.routeCode(route);
        return code === undefined ? [] : [{ source, node, of: `route ${route}`, code }];
      }),
    ]);
  }

  /** Every place that asks for a code: `Can`, an action of a menu, `can('x:y')`, and `row.can.edit` of a guarded deed. */
  guards(): Guard[] {
    return this.sources.flatMap((source) =>
      source.nodes.flatMap((element) => {
        const asked = guardIn(element) ?? this.askedIn(source, element);
        const left = element.type === 'LogicalExpression' && element.operator === '&&' ? bare(element.left) : undefined;
        const node = asked ?? left;
        const code = asked ? textOf(asked) : left && this.rowCode(source, left);
        if (!node || code === undefined) return [];
        return [{ source, node, code, alone: !this.covered({ source, node: element }, code as PermissionCode) }];
      }),
    );
  }

  /** Uses to which a way leads that does not ask for the code, and what opens these ways, as file and line. */
  unguarded(): { at: string; of: string; code: PermissionCode; openedBy: readonly string[] }[] {
    return this.uses().flatMap(({ of, code, ...place }) => {
      if (this.covered(place, code)) return [];
      this.refused.clear();
      this.openers.clear();
      this.covered(place, code);
      return [{ at: lineOf(place), of, code, openedBy: [...this.openers] }];
    });
  }

  private describes({ parentOf }: Source, node: Node): boolean {
    const parent = parentOf.get(node);
    return (
      parent?.type === 'MemberExpression' &&
      parent.object === node &&
      descriptions.includes(nameOf(parent.property) ?? '')
    );
  }

  /** Whether every way to a place asks for the code. */
  private covered(place: Place, code: PermissionCode): boolean {
    const key = `${place.source.file} ${place.node.start} ${place.node.type} ${code}`;
    if (this.refused.has(key)) return false;
    // A way that leads in a circle comes from elsewhere.
    if (this.asked.has(key)) return true;
    this.asked.add(key);
    const covered = this.climb(place, code);
    this.asked.delete(key);
    if (!covered) this.refused.add(key);
    return covered;
  }

  private climb({ source, node }: Place, code: PermissionCode): boolean {
    const { parentOf } = source;
    let child = node;
    let guarded = false;
    let opened = false;
    for (let parent = parentOf.get(node); parent; child = parent, parent = parentOf.get(parent)) {
      const guard = guardIn(parent);
      if (guard && textOf(guard) === code) {
        if (this.holdsControl(source, parent)) return true;
        guarded = true;
      }
      for (const { read, literal } of this.conditionsAt(source, parent, child)) {
        if (this.asks(source, read, code)) guarded = true;
        const state = this.stateOf(source, read);
        if (!state) continue;
        if (this.opensOnly(source, state, literal, code)) return true;
        opened = true;
      }
      const ways = this.waysTo(source, parent, child);
      if (ways?.every((way) => this.covered(way, code))) return true;
      const route = this.screenAt(source, parent);
      if (route !== undefined) return this.contract.routeCode(route) === code;
    }
    // What another element opens is not hidden by a guard around the dialog: that element would stay.
    return guarded && !opened;
  }

  /** Whether a guarded part holds what is pressed, and not only what another element opens. */
  private holdsControl({ nodes }: Source, guarded: Node): boolean {
    return (
      guarded.type === 'ObjectExpression' ||
      nodes.some(
        ({ type, name, start, end }) =>
          type === 'JSXAttribute' &&
          /^on(Click|Submit|Select)$/.test(nameOf(name) ?? '') &&
          start > guarded.start &&
          end < guarded.end,
      )
    );
  }

  /** What has to hold for the child of a node to be shown, each with the value that it is compared to. */
  private conditionsAt(source: Source, parent: Node, child: Node): { read: Node; literal: string | undefined }[] {
    switch (parent.type) {
      case 'LogicalExpression':
        return parent.operator === '&&' && child === parent.right ? conjuncts(parent.left) : [];
      case 'ConditionalExpression':
      case 'IfStatement':
        return child === parent.consequent ? conjuncts(parent.test) : [];
      case 'SwitchCase':
        return this.caseAt(source, parent);
      case 'JSXElement':
        return conjuncts(attributeValue(attributeOf(parent, 'opened')));
      default:
        return [];
    }
  }

  private caseAt({ parentOf }: Source, node: Node): { read: Node; literal: string | undefined }[] {
    const whole = parentOf.get(node);
    const read = bare(whole?.discriminant);
    const literal = textOf(node.test);
    if (!whole || !read || literal === undefined) return [];
    const cases = [whole.cases].flat().filter(isNode);
    const before = cases[cases.indexOf(node) - 1];
    return [{ read, literal: before && [before.consequent].flat().length === 0 ? undefined : literal }];
  }

  /** Whether an expression asks whether the code is held. */
  private asks(source: Source, test: Node, code: PermissionCode): boolean {
    return textOf(this.askedIn(source, test)) === code || this.rowCode(source, test) === code;
  }

  /** The code in `can('x:y')`, where `can` comes from `useCan`. */
  private askedIn({ bindingOf, parentOf }: Source, call: Node): Node | undefined {
    const can = call.type === 'CallExpression' && isNode(call.callee) ? bindingOf.get(call.callee) : undefined;
    const made = can && bare(parentOf.get(can.declared)?.init);
    return nameOf(made?.callee) === 'useCan' ? as([call.arguments].flat()[0], 'Literal') : undefined;
  }

  /** The code behind `row.can.edit`, which the server sends: that of the endpoint of this name in the row's module. */
  private rowCode(source: Source, test: Node): PermissionCode | undefined {
    const of = test.type === 'MemberExpression' ? bare(test.object) : undefined;
    if (nameOf(of) !== 'can' && !(of?.type === 'MemberExpression' && nameOf(of.property) === 'can')) return undefined;
    const deed = nameOf(test.property) ?? '';
    const name = deed === 'delete' ? 'remove' : deed;
    const codes = source.nodes.flatMap((node) => {
      const module = node.type === 'ImportDeclaration' ? this.contract.endpointsOf(textOf(node.source) ?? '') : {};
      return Object.hasOwn(module, name) ? [module[name]] : [];
    });
    return codes.every((code) => code === codes[0]) ? codes[0] : undefined;
  }

  /** Whether a state takes a value, or leaves being empty, only by elements that ask for the code. */
  private opensOnly(
    source: Source,
    { setter, field }: State,
    literal: string | undefined,
    code: PermissionCode,
  ): boolean {
    return this.references.callsOf(source, setter).every(({ call, ...place }) => {
      if (!call) return this.opensFor(place, code);
      const set = bare([call.arguments].flat()[0]);
      if (isEmpty(set)) return true;
      const given = field !== undefined && set?.type === 'ObjectExpression' ? bare(propertyOf(set, field)?.value) : set;
      return this.gives({ ...place, node: call }, given, literal, code);
    });
  }

  /** Whether a value that is given at a place is another than the literal, or is given only by who holds the code. */
  private gives(place: Place, given: Node | undefined, literal: string | undefined, code: PermissionCode): boolean {
    const { bindingOf, parentOf } = place.source;
    const text = textOf(given);
    if (literal !== undefined && text !== undefined && text !== literal) return true;
    const parameter = literal !== undefined && given?.type === 'Identifier' ? bindingOf.get(given) : undefined;
    const owner = parameter && parentOf.get(parameter.declared);
    const position = parameter && owner && isFunction(owner) ? [owner.params].flat().indexOf(parameter.declared) : -1;
    const named = position === -1 || !owner ? undefined : this.references.nameOfFunction(place.source, owner);
    if (!named || this.references.isExported(place.source, named)) return this.opensFor(place, code);
    return this.references
      .callsOf(place.source, named)
      .every(({ call, ...way }) =>
        call
          ? this.gives({ ...way, node: call }, bare([call.arguments].flat()[position]), literal, code)
          : this.opensFor(way, code),
      );
  }

  private opensFor(place: Place, code: PermissionCode): boolean {
    const covered = this.covered(place, code);
    if (!covered) this.openers.add(lineOf(place));
    return covered;
  }

  /** The state that an expression reads, by which setter it changes, and which of its fields is read. */
  private stateOf(source: Source, read: Node): State | undefined {
    if (read.type === 'MemberExpression') {
      const whole = bare(read.object);
      const state = whole && this.stateOf(source, whole);
      return state && state.field === undefined ? { ...state, field: nameOf(read.property) } : undefined;
    }
    const { bindingOf, parentOf } = source;
    const declared = bindingOf.get(read)?.declared;
    const pattern = declared && parentOf.get(declared);
    if (pattern?.type === 'Property') {
      const declarator = parentOf.get(parentOf.get(pattern) ?? pattern);
      const whole = declarator?.type === 'VariableDeclarator' ? bare(declarator.init) : undefined;
      return (
        whole && this.stateOf(source, { ...whole, type: 'MemberExpression', object: whole, property: pattern.key })
      );
    }
    const declarator = pattern?.type === 'ArrayPattern' ? parentOf.get(pattern) : undefined;
    const made = bare(declarator?.init);
    if (nameOf(made?.callee) !== 'useState' || !isEmpty(bare([made?.arguments].flat()[0]))) return undefined;
    const [value, set] = declaredBy(pattern);
    const setter = set && bindingOf.get(set);
    return value === declared && setter ? { setter, field: undefined } : undefined;
  }

  /** Places from which alone the child of a node is reached, where that can be told. */
  private waysTo(source: Source, parent: Node, child: Node): Place[] | undefined {
    if (parent.type === 'VariableDeclarator' && child === parent.init && this.waits(source, parent))
      return this.waysToDeclared(source, parent);
    if (parent.type === 'FunctionDeclaration' && isNode(parent.id))
      return this.references.waysToName(source, source.bindingOf.get(parent.id));
    if (parent.type === 'CallExpression' && child !== parent.callee && !acting.includes(nameOf(parent.callee) ?? ''))
      return this.references.waysToArgument(source, parent, child);
    if (parent.type === 'Property') return this.references.waysToReturned(source, parent);
    return undefined;
  }

  private waysToDeclared(source: Source, declarator: Node): Place[] | undefined {
    const ways = declaredBy(declarator.id).map((id) => this.references.waysToName(source, source.bindingOf.get(id)));
    return ways.every((way) => way !== undefined) ? ways.flat() : undefined;
  }

  /** Whether what is declared does nothing until it is used: functions, what acts later, and all outside functions. */
  private waits({ parentOf }: Source, declarator: Node): boolean {
    const init = bare(declarator.init);
    if (!init || isFunction(init) || init.type.startsWith('JSX') || acting.includes(nameOf(init.callee) ?? ''))
      return true;
    const above = parentOf.get(parentOf.get(declarator) ?? declarator);
    return above?.type === 'Program' || above?.type === 'ExportNamedDeclaration';
  }

  /** The route under which a feature's `routes.tsx` lists a screen. */
  private screenAt({ file, parentOf }: Source, node: Node): string | undefined {
    if (node.type !== 'Property' || !file.endsWith('/routes.tsx')) return undefined;
    const declarator = parentOf.get(parentOf.get(node) ?? node);
    const name = declarator?.type === 'VariableDeclarator' ? nameOf(declarator.id) : undefined;
    return name === 'screens' || name === 'publicScreens' ? (nameOf(node.key) ?? '') : undefined;
  }
}
