import { articlePage, type Route, serve, type Site } from '../../support/servers/site.ts';

/** Every fifth page is missing, cut off, not ready yet or slow; the others are small articles that ask for something to be done. */
function pageOf(title: string, at: number): Route {
  const article = serve(
    articlePage(title, [
      `${title} says that persistence ${'really '.repeat(at % 20)}pays off in the end.`,
      'Set aside ten percent of each paycheck before you pay anything else.',
      `Call the plumber about ${title} before the winter comes.`,
    ]),
  );
  if (at % 20 === 4) return (_request, response) => response.writeHead(404).end('not here');
  if (at % 20 === 9) return (_request, response) => response.writeHead(200).write('<p>cut', () => response.destroy());
  if (at % 20 === 14) return (_request, response) => response.writeHead(503).end('later');
  if (at % 20 === 19) return (request, response) => void setTimeout(() => article(request, response), 300);
  return article;
}

/** Puts pages on a site; the answer is the address of each. */
export function publisher(site: Site): (title: string) => string {
  return (title) => {
    const at = site.routes.size + 1;
    const path = `/page/${at}`;
    site.routes.set(path, pageOf(title, at));
    return `${site.url}${path}`;
  };
}
