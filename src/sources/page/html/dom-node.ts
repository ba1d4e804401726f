/** As much of a DOM node as is used here; the DOM's own types are not those of a server. */
export interface DomNode {
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly firstChild: DomNode | null;
  readonly parentNode?: DomNode | null;
  readonly previousSibling?: DomNode | null;
  getAttribute?(name: string): string | null;
  querySelector?(selector: string): DomNode | null;
}

/** As much of a DOM node as is read here. */
export interface PageNode {
  readonly nodeType: number;
  readonly localName: string;
  readonly firstChild: PageNode | null;
  readonly nextSibling: PageNode | null;
  readonly data?: string;
  getAttribute(name: string): string | null;
}
