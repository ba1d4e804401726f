import type { CaptionElement } from '../../domain/captions/caption-formats.ts';
import { readTokens } from '../page/html/html-tokens.ts';

/** Reads the elements with these names and their text, in one linear pass that tolerates any input. */
export function readCaptionXml(xml: string, names: ReadonlySet<string>): CaptionElement[] {
  const elements: CaptionElement[] = [];
  // An HTML tokenizer reads these as raw text up to their end tag, which empty TTML elements never have.
  const bare = xml.replaceAll(
    /<\/?(?:style|script|title|textarea|xmp|iframe|noembed|noframes|plaintext)\b[^<>]*>/gi,
    '',
  );
  let open: CaptionElement | null = null;
  readTokens(bare, {
    open(tag, attributes) {
      const name = tag.slice(tag.indexOf(':') + 1);
      if (names.has(name)) {
        open = { name, attributes, text: '' };
        elements.push(open);
      } else if (name === 'br' && open !== null) open.text += '\n';
    },
    close(tag) {
      if (names.has(tag.slice(tag.indexOf(':') + 1))) open = null;
    },
    text(text) {
      if (open !== null) open.text += text;
    },
  });
  return elements;
}
