/*
 * Reading a page that may be hostile. A field of a form named `childNodes` takes the place of the form's own property, so
 * properties are read by the getters of the browser. Nodes of frames belong to other windows, so no `instanceof`.
 */

function getter<Value>(prototype: object, name: string): (of: object) => Value {
  const found = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  return (of) => found?.call(of) as Value;
}

const nodeType = getter<number>(Node.prototype, 'nodeType');
const nodeName = getter<string>(Node.prototype, 'nodeName');
const childNodes = getter<NodeList>(Node.prototype, 'childNodes');
const localName = getter<string>(Element.prototype, 'localName');
const attributes = getter<NamedNodeMap>(Element.prototype, 'attributes');
const shadowRoot = getter<ShadowRoot | null>(Element.prototype, 'shadowRoot');
const documentElement = getter<Element | null>(Document.prototype, 'documentElement');
const contentDocument = getter<Document | null>(HTMLIFrameElement.prototype, 'contentDocument');
const isContentEditable = getter<boolean>(HTMLElement.prototype, 'isContentEditable');
const ownStyle = getter<CSSStyleDeclaration>(HTMLElement.prototype, 'style');
const { getRootNode } = Node.prototype;
const { getAttribute, setAttribute, removeAttribute } = Element.prototype;

export const isElement = (node: Node): node is Element => nodeType(node) === Node.ELEMENT_NODE;
export const attributesOf = (element: Element): readonly Attr[] => [...attributes(element)];
export const attribute = (element: Element, name: string): string | null => getAttribute.call(element, name);
export const rootOf = (document: Document): Element | null => documentElement(document);
export const shadowOf = (element: Element): ShadowRoot | null => shadowRoot(element);

/** Whether people type into it, by `contenteditable` or because the whole document is edited. */
export function isEditable(element: Element): boolean {
  try {
    return isContentEditable(element);
  } catch {
    // An element of another kind than HTML.
    return false;
  }
}

/** The style attribute's declarations; null for what has none. */
export function styleOf(element: Element): CSSStyleDeclaration | null {
  try {
    return ownStyle(element);
  } catch {
    // An element of another kind than HTML.
    return null;
  }
}

export function setStyleText(element: Element, text: string | null): void {
  // Chromium leaves an empty attribute behind when it removes one that was set by `style` alone.
  setAttribute.call(element, 'style', text ?? '');
  if (text === null) removeAttribute.call(element, 'style');
}

/** `#text`, `#comment` …, `#slot` for the slot of a shadow root, and for elements their name. */
export function nameOf(node: Node): string {
  if (!isElement(node)) return nodeName(node);
  const name = localName(node);
  return name === 'slot' && nodeType(getRootNode.call(node)) === Node.DOCUMENT_FRAGMENT_NODE ? '#slot' : name;
}

/** What is drawn in an element's place: of its shadow root, of a frame of the same site, of the nodes in a slot, or its own. */
export function childrenOf(node: Node): readonly Node[] {
  if (!isElement(node)) return [];
  const name = nameOf(node);
  if (name === 'iframe') {
    const inside = contentDocument(node);
    const body = inside === null ? null : documentElement(inside)?.querySelector('body');
    return body && !isEditable(body) ? [...childNodes(body)] : [];
  }
  const given = name === '#slot' ? (node as HTMLSlotElement).assignedNodes({ flatten: true }) : [];
  return given.length > 0 ? given : [...childNodes(shadowRoot(node) ?? node)];
}
