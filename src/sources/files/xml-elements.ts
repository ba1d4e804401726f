import { Parser } from 'htmlparser2';

export interface XmlElement {
  /** Without its prefix, lower case. */
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** The text in the element, with white space collapsed; cut when very long. */
  text: string;
}

/**
 * Maximum depth. No format read here is nested deeper. Parsing stops beyond it, because a deep parser stack is
 * expensive.
 */
const maxDepth = 200;
/**
 * Maximum characters of an element's text, which includes the text of its descendants. Only names and titles are read
 * here.
 */
const maxTextLength = 10_000;
/** Chunk size for the parser, in UTF-16 units. */
const pieceLength = 50_000;

/**
 * The wanted elements of a small XML file, in the order of their start tags. Tolerates invalid XML; takes linear time.
 */
export function xmlElements(xml: string, wanted: ReadonlySet<string>): XmlElement[] {
  const elements: XmlElement[] = [];
  const open: (XmlElement | null)[] = [];
  const parser = new Parser(
    {
      onopentag(fullName, attributes) {
        const name = bare(fullName);
        const element = wanted.has(name) ? { name, attributes: bareKeys(attributes), text: '' } : null;
        if (element !== null) elements.push(element);
        open.push(element);
      },
      ontext(text) {
        for (const element of open) {
          if (element !== null && element.text.length < maxTextLength) element.text += text.slice(0, maxTextLength);
        }
      },
      onclosetag() {
        const element = open.pop();
        if (element) element.text = element.text.replaceAll(/\s+/g, ' ').trim();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  for (let at = 0; at < xml.length && open.length <= maxDepth; at += pieceLength) {
    parser.write(xml.slice(at, at + pieceLength));
  }
  parser.end();
  return elements;
}

function bare(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}

function bareKeys(attributes: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).map(([key, value]) => [bare(key), value]));
}
