/** What a browser shows after a request; redirects are not followed. */
export interface Shown {
  status: number;
  location: string | null;
  headers: Headers;
  text: string;
}

/** A browser as far as sign-in needs one: cookies, forms, and the headers that tell where a form comes from. */
export interface TestBrowser {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Shown>;
  /** Sends a form of the page that was shown last. */
  post(
    path: string,
    fields: Record<string, string | readonly string[]>,
    headers?: Record<string, string>,
  ): Promise<Shown>;
  /** The hidden field of the page that was shown last. */
  formToken(): string;
}

/**
 * @param base the server's address without a trailing slash
 * @param always headers of every request, which a proxy adds
 */
export function openBrowser(base: string, always: Record<string, string> = {}): TestBrowser {
  const cookies = new Map<string, string>();
  let page = '';

  const request = async (path: string, init: RequestInit): Promise<Shown> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(path, base), {
      ...init,
      redirect: 'manual',
      headers: {
        'user-agent': 'test browser',
        ...always,
        ...(cookie !== '' && { cookie }),
        ...(init.headers as object),
      },
    });
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';');
      const [name = '', value = ''] = pair.split('=');
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    if (text !== '') page = text;
    return { status: response.status, location: response.headers.get('location'), headers: response.headers, text };
  };
  const formToken = () => /name="form" value="([^"]+)"/.exec(page)?.[1] ?? '';

  return {
    cookies,
    formToken,
    get: (path, headers = {}) => request(path, { headers }),
    post(path, fields, headers = {}) {
      const body = new URLSearchParams({ form: formToken() });
      for (const [name, value] of Object.entries(fields)) {
        body.delete(name);
        for (const one of [value].flat()) body.append(name, one);
      }
      return request(path, {
        method: 'POST',
        body: body.toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(base).origin, ...headers },
      });
    },
  };
}
