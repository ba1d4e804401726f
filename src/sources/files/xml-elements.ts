import { Parser } from 'htmlparser2';

export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** The text in the element, with white space collapsed; cut when very long. */
  text: string;
}

/** No format read here is nested deeper, and a deep parser stack is expensive. */
const maxDepth = 300;
/** In characters. Only names and titles are read here. */
const maxTextLength = 10_000;
const pieceLength = 50_000;

export interface XmlHandlers {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/**
 * Walks through XML. Names come as they are written. Tolerates invalid XML; takes linear time.
 * @param progress is called after each piece
 * @returns whether all was read: not where elements are nested too deeply
 */
export function walkXml(xml: string, handlers: XmlHandlers, progress?: () => void): boolean {
  let depth = 0;
  let isWhole = true;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth <= maxDepth) handlers.open(name, attributes);
        else isWhole = false;
      },
      ontext(text) {
        if (depth <= maxDepth) handlers.text?.(text);
      },
      onclosetag(name) {
        depth -= 1;
        if (depth < maxDepth) handlers.close?.(name);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  for (let at = 0; at < xml.length; at += pieceLength) {
    parser.write(xml.slice(at, at + pieceLength));
    progress?.();
    if (!isWhole) break;
  }
  parser.end();
  return isWhole;
}

/** The wanted elements of a small XML file, in the order of their start tags. */
export function xmlElements(xml: string, wanted: ReadonlySet<string>): XmlElement[] {
  const elements: XmlElement[] = [];
  const open: (XmlElement | null)[] = [];
  walkXml(xml, {
    open(fullName, attributes) {
      const name = bareName(fullName);
      const element = wanted.has(name) ? { name, attributes: bareKeys(attributes), text: '' } : null;
      if (element !== null) elements.push(element);
      open.push(element);
    },
    text(text) {
      for (const element of open) {
        if (element !== null && element.text.length < maxTextLength) element.text += text.slice(0, maxTextLength);
      }
    },
    close() {
      const element = open.pop();
      if (element) element.text = element.text.replaceAll(/\s+/g, ' ').trim();
    },
  });
  return elements;
}

/** A name without its prefix, lower case. */
export function bareName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}

function bareKeys(attributes: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).map(([key, value]) => [bareName(key), value]));
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
