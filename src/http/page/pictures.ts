import type { Hono } from 'hono';
import type { Picture, PictureKind } from '../../services/library/pictures.ts';
import { respond, type HttpEnv } from '../context.ts';
import { markup } from '../docs/markup.ts';
import type { MountParts } from '../mount.ts';
import { withCookies } from '../sign-in/layout.ts';
import { sandboxHeaders } from './originals.ts';
import type { Visitors } from './visitor.ts';

const daySeconds = 86_400;

/** The icon of an item's site, or the item's picture; a letter on a colour where there is none. */
export function addPictures(app: Hono<HttpEnv>, { services, requireRoom }: MountParts, visitors: Visitors): void {
  app.get('/app/picture/:id', async (context) => {
    const visitor = await visitors.require(context);
    const kind: PictureKind = context.req.query('kind') === 'picture' ? 'picture' : 'icon';
    const picture = await services.pictures.get(visitor.person.accountId, context.req.param('id'), kind);
    requireRoom(context);
    const { shown, isUnderWay } = picture;
    const answer = respond(context, 200, shown === null ? letterOf(picture, kind) : new Uint8Array(shown.bytes), {
      'Content-Type': shown?.mediaType ?? 'image/svg+xml',
      ...sandboxHeaders,
      'Cache-Control': isUnderWay ? 'private, no-store' : `private, max-age=${daySeconds}`,
    });
    return withCookies(answer, visitor.browser);
  });
}

/** Height of the picture of a card that is still under way. The page asks for it again (`web/parts/pictures.tsx`). */
const underWayHeight = 33;

function letterOf({ item, isUnderWay }: Picture, kind: PictureKind): string {
  const host = URL.parse(item.url ?? '')?.host.replace(/^www\./, '') ?? '';
  const letter = /[\p{L}\p{N}]/u.exec(item.siteName ?? (host || (item.title ?? '')))?.[0].toUpperCase() ?? '·';
  let hue = 0;
  for (const character of host) hue = (hue * 31 + (character.codePointAt(0) ?? 0)) % 360;
  const [width, round] = kind === 'icon' ? [32, 6] : [57, 0];
  return markup`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${isUnderWay ? underWayHeight : 32}" viewBox="0 0 ${width} 32"><rect width="${width}" height="32" rx="${round}" fill="hsl(${hue} 35% 42%)"/><text x="${width / 2}" y="22.500" text-anchor="middle" font-family="sans-serif" font-size="18" fill="#fff">${letter}</text></svg>`
    .html;
}
