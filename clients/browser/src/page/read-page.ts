import { adblocked } from './adblocked.ts';
import { attribute, attributesOf, childrenOf, isEditable, isElement, nameOf, rootOf } from './dom.ts';

/** What the script in the page found. `too large`: the page stays where it is, and its address is sent alone. */
export type PageContent =
  | { kind: 'html'; html: string }
  | { kind: 'pdf'; base64: string }
  | { kind: 'too large' }
  /** The browser shows a file of another kind, or the site gave its PDF to nobody. */
  | { kind: 'address' };

/** As many characters as a server takes of a page. */
const maxCharacters = 9_000_000;
/** In base64 these fit into a message to the program on this machine. */
const maxPdfBytes = 32 * 2 ** 20;
/** Pictures that are written into the page itself; larger ones are left out. */
const maxDataUrl = 10_000;

/** No part of what a page says, or what the person typed into it. `noscript` holds what a browser with scripts does not show. */
const leftOut = new Set(['script', 'noscript', 'style', 'template', 'textarea', 'select', 'object', 'embed']);
const withoutEnd = new Set('area base br col hr img input link meta param source track wbr'.split(' '));
const addresses = new Set(['src', 'href', 'poster', 'data-src']);

/** The page as the person sees it: after its scripts, with shadow roots and frames of the same site. */
export async function readPage(): Promise<PageContent> {
  if (document.contentType === 'application/pdf') return readPdf();
  if (!/html/.test(document.contentType)) return { kind: 'address' };
  const root = rootOf(document);
  if (root === null) return { kind: 'address' };
  const html = serialize(root, adblocked(root));
  return html === null ? { kind: 'too large' } : { kind: 'html', html };
}

/** @returns null when it is longer than servers take */
function serialize(root: Element, hidden: ReadonlySet<Node>): string | null {
  const parts = ['<!doctype html>'];
  let length = 0;
  const write = (text: string): void => {
    length += text.length;
    parts.push(text);
  };
  // No recursion: scripts nest elements deeper than a stack is.
  const open: { children: readonly Node[]; at: number; end: string }[] = [{ children: [root], at: 0, end: '' }];
  for (let here = open.at(-1); here !== undefined; here = open.at(-1)) {
    if (length > maxCharacters) return null;
    const node = here.children[here.at];
    if (node === undefined) {
      write(here.end);
      open.pop();
      continue;
    }
    here.at += 1;
    const name = nameOf(node);
    if (name === '#text') write(escaped(node.nodeValue ?? ''));
    else if (name === '#slot') open.push({ children: childrenOf(node), at: 0, end: '' });
    else if (!isElement(node) || hidden.has(node) || isEditable(node)) continue;
    else if (name === 'script' && isData(node)) write(dataScript(node));
    else if (!leftOut.has(name) && (name !== 'input' || isTick(node))) {
      const children = childrenOf(node);
      const isFrame = name === 'iframe' && children.length > 0;
      const written = isFrame ? 'div' : name;
      write(`<${written}${attributesText(node, name)}>`);
      if (!withoutEnd.has(written)) open.push({ children, at: 0, end: `</${written}>` });
    }
  }
  return parts.join('');
}

function attributesText(element: Element, name: string): string {
  let text = '';
  for (const { name: own, value } of attributesOf(element)) {
    const isScript = own.startsWith('on') || own === 'nonce' || own === 'integrity';
    // What was typed: frameworks write it into the attribute.
    const isTyped = name === 'input' && own !== 'type' && own !== 'checked';
    if (isScript || isTyped || own === 'srcdoc' || own === 'srcset') continue;
    if (name === 'img' && own === 'src') continue;
    if (addresses.has(own) && isHeavy(value)) continue;
    text += ` ${own}="${escaped(value).replaceAll('"', '&quot;')}"`;
  }
  if (name !== 'img') return text;
  // A picture that is loaded late has another address than its attribute.
  const { currentSrc } = element as HTMLImageElement;
  const shown = currentSrc === '' || isHeavy(currentSrc) ? (attribute(element, 'src') ?? '') : currentSrc;
  return isHeavy(shown) ? text : `${text} src="${escaped(shown).replaceAll('"', '&quot;')}"`;
}

function isHeavy(address: string): boolean {
  return address.startsWith('blob:') || (address.startsWith('data:') && address.length > maxDataUrl);
}

/** What a page says of itself for programs: title, author, dates. */
function isData(script: Element): boolean {
  return /^application\/ld\+json/i.test(attribute(script, 'type') ?? '');
}

function dataScript(script: Element): string {
  return `<script type="application/ld+json">${(script.textContent ?? '').replaceAll('</', String.raw`<\/`)}</script>`;
}

/** Lists of tasks have them; all other fields of forms are left out. */
function isTick(input: Element): boolean {
  return attribute(input, 'type') === 'checkbox';
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The bytes, as the site gives them to this person. Most often the browser still has them. */
async function readPdf(): Promise<PageContent> {
  try {
    const response = await fetch(location.href, { credentials: 'include', cache: 'force-cache' });
    const blob = await response.blob();
    const start = new TextDecoder('latin1').decode(await blob.slice(0, 1_024).arrayBuffer());
    if (!response.ok || blob.size > maxPdfBytes || !start.includes('%PDF-')) return { kind: 'address' };
    return { kind: 'pdf', base64: await base64Of(blob) };
  } catch {
    return { kind: 'address' };
  }
}

function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the PDF cannot be read')));
    reader.readAsDataURL(blob);
  });
}
