import type { PageReading, WholePage } from '../reading.ts';
import { meta, tidy } from '../metadata/names.ts';

const forges = new Set(['github.com', 'gitlab.com', 'codeberg.org', 'gitea.com', 'bitbucket.org']);
/** Selectors of the README in the forges' software (GitHub, GitLab, Gitea and Forgejo). */
const readmes = [
  '#readme article',
  'article.markdown-body',
  '.file-view.markdown',
  '[data-testid="blob-viewer-file-content"] .md',
];

/** Reads the front page of a repository: its description and its README. */
export function readRepository({ root, facts, url, toMarkdown }: WholePage): PageReading | null {
  const path =
    URL.parse(url)
      ?.pathname.split('/')
      .filter((part) => part !== '') ?? [];
  const known = forges.has(URL.parse(url)?.hostname ?? '');
  const declared = facts.metas.has('go-import') || facts.metas.has('octolytics-dimension-repository_nwo');
  if (path.length < 2 || (!known && !declared) || (known && path.length > 2 && path[2] !== '-' && path[2] !== 'tree'))
    return null;
  const readme = readmes.map((selector) => root.querySelector(selector)).find((one) => one !== null);
  if (readme === undefined) return null;
  const text = toMarkdown(readme);
  if (text === '') return null;
  const name = path.slice(0, 2).join('/');
  const description = (tidy(meta(facts, 'og:description') ?? meta(facts, 'description')) ?? '')
    .replace(/ - [^\s/]+\/\S+$/, '')
    .replace(/\.? ?(?:Contribute to|Follow their code) [^]*$/i, '');
  const first = description === '' || text.includes(description) ? [] : [description];
  return { contentType: 'repo', title: name, author: path[0] ?? null, markdown: [...first, text].join('\n\n') };
}
