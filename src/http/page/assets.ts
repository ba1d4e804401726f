import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Hono } from 'hono';
import { unavailable, notFound } from '../../errors.ts';
import { type HttpContext, type HttpEnv, respond } from '../context.ts';
import { entityTag, respondTagged } from '../rest/send.ts';

/** The files that the build made for the browser, and the part that draws the first view. */
const folder = new URL('../../../dist/page/', import.meta.url);

const mediaTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};
/** Text files: the others are compressed already. */
const compressible = new Set(['css', 'js', 'svg']);

/** The names of the files in this build by their source names: `app.js` is `app-3f2a….js`. */
export interface AssetNames {
  readonly 'app.js': string;
  /** Views that it loads after the first one. */
  readonly 'later.js': string;
  /** The window of the bookmarklet. */
  readonly 'capture.js': string;
  /** The service worker. */
  readonly 'worker.js': string;
  readonly 'app.css': string;
  readonly 'text.woff2': string;
  readonly 'mark.svg': string;
  readonly 'icon-192.png': string;
  readonly 'icon-512.png': string;
}

export const assetsPath = '/app/assets';

/** @throws {AppError} `unavailable` when the page was not built */
export async function readAssetNames(): Promise<AssetNames> {
  try {
    return JSON.parse(await readFile(new URL('names.json', folder), 'utf8')) as AssetNames;
  } catch (cause) {
    throw unavailable('The page was not built. Run `npm run build`.', { cause });
  }
}

/** Loads the module that draws the first view; its shape is `web/server.tsx`. */
export async function loadRenderer<Renderer>(): Promise<Renderer> {
  return (await import(new URL('render.js', folder).href)) as Renderer;
}

interface Asset {
  mediaType: string;
  plain: Uint8Array<ArrayBuffer>;
  /** Absent for compressed formats. */
  brotli?: Uint8Array<ArrayBuffer>;
  gzip?: Uint8Array<ArrayBuffer>;
}

const [brotlied, gzipped] = [promisify(brotliCompress), promisify(gzip)];

async function readAsset(name: string): Promise<Asset> {
  const ending = name.slice(name.lastIndexOf('.') + 1);
  const plain = new Uint8Array(await readFile(new URL(name, folder)));
  const mediaType = mediaTypes[ending] ?? 'application/octet-stream';
  if (!compressible.has(ending)) return { mediaType, plain };
  return {
    mediaType,
    plain,
    brotli: new Uint8Array(
      await brotlied(plain, { params: { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT } }),
    ),
    gzip: new Uint8Array(await gzipped(plain, { level: 9 })),
  };
}

/** Serves the files. Their names change with their content, so a browser asks for each of them once. */
export function addAssets(app: Hono<HttpEnv>): void {
  const known = new Map<string, Promise<Asset>>();
  app.get(`${assetsPath}/:name`, async (context) => {
    const name = context.req.param('name');
    if (!Object.values(await readAssetNames()).includes(name))
      throw notFound('There is no such file. Load the page again.');
    let asset = known.get(name);
    if (asset === undefined) {
      asset = readAsset(name);
      known.set(name, asset);
    }
    return sendAsset(context, await asset);
  });
}

function sendAsset(context: HttpContext, { mediaType, plain, ...packed }: Asset): Response {
  const accepted = context.req.raw.headers.get('accept-encoding') ?? '';
  const headers = {
    'Content-Type': mediaType,
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
  };
  const [encoding, body] =
    packed.brotli !== undefined && /\bbr\b/.test(accepted)
      ? ['br', packed.brotli]
      : packed.gzip !== undefined && /\bgzip\b/.test(accepted)
        ? ['gzip', packed.gzip]
        : [undefined, plain];
  return respond(context, 200, body, encoding === undefined ? headers : { ...headers, 'Content-Encoding': encoding });
}

/** The file types for which a phone offers this page, and extensions where types are unknown. */
const sharedTypes = [
  'text/*',
  'image/*',
  'application/pdf',
  'application/epub+zip',
  '.pdf',
  '.epub',
  '.docx',
  '.md',
  '.eml',
  '.mhtml',
];

/** Serves the service worker, whose name must stay the same. It may answer for all paths, and asks this server alone. */
export function addWorker(app: Hono<HttpEnv>): void {
  app.get('/app/worker.js', async (context) => {
    const { plain } = await readAsset((await readAssetNames())['worker.js']);
    return respond(context, 200, plain, {
      'Content-Type': mediaTypes['js'] ?? '',
      'Cache-Control': 'no-cache',
      'Service-Worker-Allowed': '/',
      'Content-Security-Policy': "default-src 'none'; connect-src 'self'",
    });
  });
}

/** Describes the page to a phone on which it is installed (https://www.w3.org/TR/appmanifest/). */
export function addManifest(app: Hono<HttpEnv>): void {
  app.get('/app/manifest.webmanifest', async (context) => {
    const names = await readAssetNames();
    const icon = (size: 192 | 512) => ({
      src: `${assetsPath}/${names[`icon-${size}.png`]}`,
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose: 'any maskable',
    });
    const body = JSON.stringify({
      name: 'Commonplace',
      short_name: 'Commonplace',
      description: 'What you saved, to read, search and act on.',
      id: '/',
      start_url: '/',
      scope: '/',
      display: 'standalone',
      background_color: '#fbf8f1',
      theme_color: '#264653',
      icons: [icon(192), icon(512), { src: `${assetsPath}/${names['mark.svg']}`, sizes: 'any', type: 'image/svg+xml' }],
      share_target: {
        action: '/app/share',
        method: 'POST',
        enctype: 'multipart/form-data',
        params: { title: 'title', text: 'text', url: 'url', files: [{ name: 'file', accept: sharedTypes }] },
      },
    });
    return respondTagged(context, body, entityTag(body), {
      'Content-Type': 'application/manifest+json',
      'Cache-Control': 'public, no-cache',
    });
  });
}
