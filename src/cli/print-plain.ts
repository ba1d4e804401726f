import type { Printed, Span } from '../operations/answers/printed.ts';

/** An answer as plain text, for pipes and files. */
export function plainText(printed: Printed): string {
  return printed
    .map((part) =>
      'prose' in part
        ? part.prose
            .split('\n')
            .map((line) => part.indent + line)
            .join('\n')
        : part.indent + part.spans.map(textOf).join(''),
    )
    .join('\n');
}

function textOf(span: Span): string {
  return typeof span === 'string' ? span : span.text;
}
