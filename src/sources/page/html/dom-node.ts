/** The part of a DOM node that is used here. TypeScript's own DOM types are for browsers, not for a server. */
export interface DomNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly localName: string;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  readonly previousSibling: DomNode | null;
  readonly nextElementSibling: DomNode | null;
  readonly previousElementSibling: DomNode | null;
  readonly parentNode: DomNode | null;
  data?: string;
  textContent: string | null;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  matches(selector: string): boolean;
  closest(selector: string): DomNode | null;
  querySelector(selector: string): DomNode | null;
  querySelectorAll(selector: string): Iterable<DomNode>;
  before(...nodes: unknown[]): void;
  prepend(...nodes: unknown[]): void;
  append(...nodes: unknown[]): void;
  insertBefore(node: unknown, before: DomNode | null): void;
  replaceWith(...nodes: unknown[]): void;
  remove(): void;
}

export interface DomDocument {
  createElement(name: string): DomNode;
  createTextNode(text: string): unknown;
  querySelectorAll(selector: string): Iterable<unknown>;
}

export function elementsIn(document: Pick<DomDocument, 'querySelectorAll'>, selector: string): DomNode[] {
  return [...(document.querySelectorAll(selector) as Iterable<DomNode>)];
}

/** Moves the children one by one: a page may have more of them than a call may have arguments. */
export function moveChildren(from: DomNode, to: DomNode): void {
  for (const child of childrenOf(from)) to.append(child);
}

export function childrenOf(element: DomNode): DomNode[] {
  const children: DomNode[] = [];
  for (let child = element.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

/** An absolute http, https or mailto address. Null for anything else: a reader must not be led there. */
export function webAddress(href: string, baseUrl: string): string | null {
  const url = URL.parse(href.trim(), baseUrl);
  if (url === null || !['http:', 'https:', 'mailto:'].includes(url.protocol)) return null;
  return url.href.replaceAll('(', '%28').replaceAll(')', '%29');
}
