import type { Hono } from 'hono';
import { entityTag, respondTagged } from '../rest/send.ts';
import type { HttpEnv } from '../context.ts';
import { assetsPath, readAssetNames } from './assets.ts';

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
      share_target: { action: '/app/save', method: 'GET', params: { title: 'title', text: 'text', url: 'url' } },
    });
    return respondTagged(context, body, entityTag(body), {
      'Content-Type': 'application/manifest+json',
      'Cache-Control': 'public, no-cache',
    });
  });
}
