/** The part of a DOM node that is used here. TypeScript's own DOM types are for browsers, not for a server. */
export interface DomNode {
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly firstChild: DomNode | null;
  readonly parentNode?: DomNode | null;
  readonly previousSibling?: DomNode | null;
  readonly nextSibling?: DomNode | null;
  getAttribute?(name: string): string | null;
  querySelector?(selector: string): DomNode | null;
}

/** The part of a DOM node that is read here. */
export interface PageNode {
  readonly nodeType: number;
  readonly localName: string;
  readonly firstChild: PageNode | null;
  readonly nextSibling: PageNode | null;
  readonly data?: string;
  getAttribute(name: string): string | null;
}

/** The part of a DOM node that is changed before a page is read. */
export interface LevelNode extends DomNode {
  readonly nodeType: number;
  readonly firstChild: LevelNode | null;
  readonly nextSibling: LevelNode | null;
  readonly previousSibling: LevelNode | null;
  readonly nextElementSibling: LevelNode | null;
  readonly previousElementSibling: LevelNode | null;
  readonly parentNode: LevelNode | null;
  data?: string;
  textContent: string | null;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  matches(selector: string): boolean;
  closest(selector: string): LevelNode | null;
  querySelector(selector: string): LevelNode | null;
  querySelectorAll(selector: string): Iterable<LevelNode>;
  before(...nodes: unknown[]): void;
  prepend(...nodes: unknown[]): void;
  append(...nodes: unknown[]): void;
  insertBefore(node: unknown, before: LevelNode | null): void;
  replaceWith(...nodes: unknown[]): void;
  remove(): void;
}

export interface LevelDocument {
  createElement(name: string): LevelNode;
  createTextNode(text: string): unknown;
  querySelectorAll(selector: string): Iterable<unknown>;
}

export function elementsIn(document: Pick<LevelDocument, 'querySelectorAll'>, selector: string): LevelNode[] {
  return [...(document.querySelectorAll(selector) as Iterable<LevelNode>)];
}

/** Moves the children one by one: a page may have more of them than a call may have arguments. */
export function moveChildren(from: LevelNode, to: LevelNode): void {
  for (const child of childrenOf(from)) to.append(child);
}

export function childrenOf(element: LevelNode): LevelNode[] {
  const children: LevelNode[] = [];
  for (let child = element.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}
