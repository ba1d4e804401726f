/** Whether a client wants a page to look at: browsers name HTML; programs name JSON, or accept anything. */
export function acceptsHtml(accept: string | null): boolean {
  return (accept ?? '').split(',').some((entry) => {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    return type === 'text/html' && !parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter));
  });
}
