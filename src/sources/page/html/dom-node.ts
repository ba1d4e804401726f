/** The part of a DOM node that is used here. TypeScript's own DOM types are for browsers, not for a server. */
export interface DomNode {
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly firstChild: DomNode | null;
  readonly parentNode?: DomNode | null;
  readonly previousSibling?: DomNode | null;
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
