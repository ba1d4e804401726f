import { compile, type Options } from 'css-select';

/** The part of a linkedom node that selectors use. */
interface Node {
  readonly nodeType: number;
  readonly localName: string;
  readonly childNodes: Node[];
  readonly parentNode: Node | null;
  readonly parentElement: Node | null;
  readonly data?: string;
  getAttribute(name: string): string | null;
  getAttributeNode(name: string): { readonly value: string } | null;
  hasAttribute(name: string): boolean;
}

const elementType = 1;
const textType = 3;

const adapter: NonNullable<Options<Node, Node>['adapter']> = {
  isTag: (node): node is Node => node.nodeType === elementType,
  // linkedom rebuilds the value of `class` from its tokens, except when it is read from the attribute node.
  getAttributeValue: (element, name) =>
    (name === 'class' ? element.getAttributeNode(name)?.value : element.getAttribute(name)) ?? undefined,
  getChildren: (node) => node.childNodes,
  getName: (element) => element.localName.toLowerCase(),
  getParent: (node) => node.parentNode,
  getSiblings: (node) => node.parentNode?.childNodes ?? [node],
  getText,
  hasAttrib: (element, name) => element.hasAttribute(name),
  removeSubsets: (nodes) => nodes,
};

function getText(node: Node): string {
  if (node.nodeType === textType) return node.data ?? '';
  return node.childNodes.map(getText).join('');
}

type Test = (element: Node) => boolean;
interface Queryable extends Node {
  readonly [link: symbol]: unknown;
  matches(selector: string): boolean;
  closest(selector: string): Node | null;
  querySelector(selector: string): Node | null;
  querySelectorAll(selector: string): Node[];
}

/**
 * Makes linkedom cache compiled selectors. It compiles a selector on every call, and Defuddle tests the same few
 * selectors on every element: three quarters of a page's time. Results stay the same. Selectors that are not covered go
 * to linkedom. Once per process is enough: linkedom's documents share their prototypes.
 */
export function rememberSelectors(element: Queryable): void {
  const elementPrototype = ownerOf(element, 'matches');
  const parentPrototype = ownerOf(element, 'querySelectorAll');
  if (elementPrototype === null || parentPrototype === null || Object.hasOwn(elementPrototype, remembered)) return;
  const next = linkNamed(element, 'next');
  const end = linkNamed(element, 'end');
  if (next === undefined || end === undefined) return;
  Object.defineProperty(elementPrototype, remembered, { value: true });
  const tests = new Map<string, Test>();
  const testFor = (selector: string): Test => {
    const known = tests.get(selector);
    if (known !== undefined) return known;
    // Do not cache results: the page changes all the time.
    const test = compile<Node, Node>(selector, { adapter, xmlMode: false, cacheResults: false });
    // Bound the cache: selectors that contain ids differ from page to page.
    if (tests.size > 2_000) tests.clear();
    tests.set(selector, test);
    return test;
  };

  /** Walks as linkedom does: its nodes are one linked list, with a node for each element's end. Templates stay closed. */
  const walk = (root: Queryable, test: Test, limit: number): Node[] => {
    const found: Node[] = [];
    for (let node = root[next]; node !== root[end] && found.length < limit;) {
      const one = node as Queryable;
      if (one.nodeType === elementType && test(one)) found.push(one);
      node = one.nodeType === elementType && one.localName === 'template' ? one[end] : one[next];
    }
    return found;
  };

  const { matches, closest } = elementPrototype;
  const { querySelector, querySelectorAll } = parentPrototype;
  const covered = (selector: unknown): selector is string =>
    typeof selector === 'string' && !selector.includes(':scope');
  elementPrototype.matches = function (this: Queryable, selector) {
    return covered(selector) ? testFor(selector)(this) : matches.call(this, selector);
  };
  elementPrototype.closest = function (this: Queryable, selector) {
    if (!covered(selector)) return closest.call(this, selector);
    return nearest(this, testFor(selector));
  };
  parentPrototype.querySelector = function (this: Queryable, selector) {
    if (!covered(selector)) return querySelector.call(this, selector);
    return walk(this, testFor(selector), 1)[0] ?? null;
  };
  parentPrototype.querySelectorAll = function (this: Queryable, selector) {
    if (!covered(selector)) return querySelectorAll.call(this, selector);
    return walk(this, testFor(selector), Number.POSITIVE_INFINITY);
  };
}

function nearest(element: Node, test: Test): Node | null {
  let candidate: Node | null = element;
  while (candidate !== null && !test(candidate)) candidate = candidate.parentElement;
  return candidate;
}

function linkNamed(element: Queryable, name: string): symbol | undefined {
  let owner: object | null = element;
  for (; owner !== null; owner = Object.getPrototypeOf(owner) as object | null) {
    const link = Object.getOwnPropertySymbols(owner).find(({ description }) => description === name);
    if (link !== undefined) return link;
  }
  return undefined;
}

const remembered = Symbol('remembered');

function ownerOf(element: Queryable, method: 'matches' | 'querySelectorAll'): Queryable | null {
  let owner: Queryable | null = element;
  while (owner !== null && !Object.hasOwn(owner, method)) owner = Object.getPrototypeOf(owner) as Queryable | null;
  return owner;
}
