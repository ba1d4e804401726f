import { Parser } from 'htmlparser2';

export interface XmlElement {
  /** Without its prefix, lower case. */
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** The text in it, white space made single; a very long one is cut. */
  text: string;
}

/** Deeper ones are no part of any format read here. What follows one is left out: the parser's stack is dear when it is deep. */
const maxDepth = 200;
/** Characters. What is read here are names and titles, and an element has the text of all in it. */
const maxTextLength = 10_000;
/** What the parser is given at once, in UTF-16 units. */
const pieceLength = 50_000;

/** The elements of a small XML file, in the order of their beginnings. Forgiving; takes linear time. */
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
