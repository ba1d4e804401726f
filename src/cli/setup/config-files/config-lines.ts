/** Line number of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** The lines of a text, each with its line end. */
export function wholeLines(text: string): string[] {
  return text.split(/(?<=\n)/);
}

/** The line end that a text uses. */
export function lineEndOf(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** For formats whose comments begin with `#`. */
export function isBlankOrComment(line: string): boolean {
  const text = line.trim();
  return text === '' || text.startsWith('#');
}
