import { styleText } from 'node:util';
import { maskText } from '../../domain/text/clean-text.ts';
import type { Look } from './look.ts';

/*
 * Text with its style, before it is wrapped. Escape codes are written in `paint` alone, around text that can hold none.
 */

type Style = 'title' | 'meta' | 'strong' | 'emphasis' | 'code' | 'link';

export interface StyledRun {
  text: string;
  styles: readonly Style[];
  /** The address that a click opens. */
  url?: string | undefined;
}

const formats = {
  title: 'bold',
  meta: 'dim',
  strong: 'bold',
  emphasis: 'italic',
  code: 'yellow',
  link: 'cyan',
} as const satisfies Record<Style, Parameters<typeof styleText>[0]>;

/** Terminals ignore longer links, or cut them. */
const maxUrlLength = 2_000;

/** Makes a run of text from outside: control characters, and with them escape codes, become spaces. */
export function run(text: string, styles: readonly Style[] = [], url?: string): StyledRun {
  return { text: maskText(text), styles, ...(url !== undefined && { url }) };
}

/** One line of runs with their escape codes. Each run ends its own styles, so that no line affects the next one. */
export function paint(line: readonly StyledRun[], { styled, links }: Look): string {
  return joinAlike(line)
    .map(({ text, styles, url }) => {
      const isSeen = text.trim() !== '';
      const shown =
        styled && isSeen
          ? styles.reduce((inner, style) => styleText(formats[style], inner, { validateStream: false }), text)
          : text;
      const target = links && url !== undefined && isSeen ? linkTarget(url) : null;
      return target === null ? shown : `\u001B]8;;${target}\u001B\\${shown}\u001B]8;;\u001B\\`;
    })
    .join('');
}

/**
 * The address as the terminal gets it, or null when it is no link to open. A parsed address is plain ASCII: everything
 * else in it is percent-encoded.
 */
function linkTarget(url: string): string | null {
  const parsed = URL.parse(url);
  if (parsed === null || !['http:', 'https:', 'mailto:'].includes(parsed.protocol)) return null;
  return parsed.href.length <= maxUrlLength && /^[!-~]*$/.test(parsed.href) ? parsed.href : null;
}

/** Joins neighbours with the same look, which wrapping has parted. */
function joinAlike(line: readonly StyledRun[]): StyledRun[] {
  const joined: StyledRun[] = [];
  for (const one of line) {
    const last = joined.at(-1);
    if (last !== undefined && last.url === one.url && last.styles.join() === one.styles.join()) {
      joined[joined.length - 1] = { ...last, text: last.text + one.text };
    } else joined.push(one);
  }
  return joined;
}
