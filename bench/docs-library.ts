import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A library that is in each checkout: the Markdown files of the documentation. */
export const docs = fileURLToPath(new URL('../docs', import.meta.url));

/** Their headings, as questions. */
export const headings = globSync('**/*.md', { cwd: docs })
  .sort()
  .flatMap((name) =>
    Array.from(readFileSync(join(docs, name), 'utf8').matchAll(/^##+ (.{8,60})$/gm), ([, heading = '']) =>
      heading.replaceAll(/[^\p{L}\p{N} ]/gu, ''),
    ),
  );
