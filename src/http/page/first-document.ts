import { markup } from '../docs/markup.ts';
import { assetsPath, type AssetNames } from './assets.ts';

/** What the person chose for this browser: how the page looks, and what it loads from elsewhere. */
export interface Choices {
  theme: 'light' | 'dark' | 'system';
  /** Pictures of saved pages. */
  images: boolean;
  /** Players of videos. */
  players: boolean;
  /** How the list shows an item: in three lines, or in one. */
  rows: 'list' | 'compact';
}

/** Reads the choices from cookies that the page sets. They hold no secret: another value only loads more, or less. */
export function choicesOf(cookies: string): Choices {
  const chosen = new Set(cookies.split(';').map((cookie) => cookie.trim()));
  const has = (choice: string): boolean => chosen.has(`commonplace-${choice}`);
  return {
    theme: has('theme=light') ? 'light' : has('theme=dark') ? 'dark' : 'system',
    images: has('images=on'),
    players: has('players=on'),
    rows: has('rows=compact') ? 'compact' : 'list',
  };
}

/**
 * The page runs its own script alone and loads its own files alone, unless the person lets it load pictures or players. No string ever
 * becomes markup or script (Trusted Types without a policy).
 */
function policyOf({ images, players }: Choices): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    `img-src 'self' data:${images ? ' https:' : ''}`,
    `frame-src 'self'${players ? ' https://www.youtube-nocookie.com' : ''}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

export function documentHeaders(choices: Choices): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    Vary: 'Accept, Cookie',
    'Content-Security-Policy': policyOf(choices),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    // With `no-referrer` browsers hide the origin of a request, which is checked.
    'Referrer-Policy': 'same-origin',
  };
}

interface FirstDocument {
  names: AssetNames;
  title: string;
  choices: Choices;
  /** The first view, as the renderer drew it. */
  html: string;
  /** What the script needs to go on from there. */
  start: unknown;
}

export function documentHtml({ names, title, choices, html, start }: FirstDocument): string {
  const asset = (name: keyof AssetNames) => `${assetsPath}/${names[name]}`;
  return markup`<!doctype html>
<html lang="en" data-theme="${choices.theme}" data-rows="${choices.rows}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="theme-color" content="#fbf8f1" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#15191b" media="(prefers-color-scheme: dark)">
<title>${title}</title>
<link rel="icon" href="${asset('mark.svg')}" type="image/svg+xml">
<link rel="apple-touch-icon" href="${asset('icon-192.png')}">
<link rel="manifest" href="/app/manifest.webmanifest" crossorigin="use-credentials">
<link rel="preload" href="${asset('text.woff2')}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${asset('app.css')}">
<script type="module" src="${asset('app.js')}"></script>
</head>
<body>
<div id="page">${{ html }}</div>
<script type="application/json" id="start">${{ html: asData(start) }}</script>
</body>
</html>
`.html;
}

/** JSON that ends no element, whatever text it holds. */
function asData(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}
