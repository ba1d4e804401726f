import { Parser } from 'htmlparser2';

export interface XmlElement {
  /** Without its prefix, lower case. */
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** All text in it, white space made single. */
  text: string;
}

/** Deeper ones are no part of any format read here. */
const mostDepth = 200;

/** The elements of a small XML file, in the order of their beginnings. Forgiving; takes linear time. */
export function xmlElements(xml: string, wanted: ReadonlySet<string>): XmlElement[] {
  const elements: XmlElement[] = [];
  const open: (XmlElement | null)[] = [];
  const parser = new Parser(
    {
      onopentag(fullName, attributes) {
        const name = bare(fullName);
        const element =
          wanted.has(name) && open.length < mostDepth ? { name, attributes: bareKeys(attributes), text: '' } : null;
        if (element !== null) elements.push(element);
        open.push(element);
      },
      ontext(text) {
        for (const element of open) if (element !== null) element.text += text;
      },
      onclosetag() {
        const element = open.pop();
        if (element) element.text = element.text.replaceAll(/\s+/g, ' ').trim();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return elements;
}

function bare(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}

function bareKeys(attributes: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).map(([key, value]) => [bare(key), value]));
}
