import { markup } from '../docs/markup.ts';
import { assetsPath, type AssetNames } from './assets.ts';

/** A browser's choices: how the page looks, and whether it loads content of other sites. The default is the first. */
const choices = {
  theme: ['system', 'light', 'dark'],
  /** How the list shows an item: in three lines, in one, or as a card with its picture. */
  rows: ['list', 'compact', 'cards'],
  /** Of the text that is read: size of type, width, distance of lines. */
  size: ['m', 's', 'l', 'xl'],
  width: ['m', 's', 'l'],
  lines: ['m', 's', 'l'],
  /** Icons of sites, which the server fetches and keeps. */
  icons: ['off', 'on'],
  /** Pictures of saved pages. */
  images: ['off', 'on'],
  /** Players of videos. */
  players: ['off', 'on'],
} as const;

export type Choices = { [Name in keyof typeof choices]: (typeof choices)[Name][number] };
/** The choices that the style sheet reads from the document. */
const looks = ['theme', 'rows', 'size', 'width', 'lines'] as const;

/** Reads the choices from cookies that the page sets. They hold no secret: another value only looks different, or loads more or less. */
export function choicesOf(cookies: string): Choices {
  const chosen = new Set(cookies.split(';').map((cookie) => cookie.trim()));
  const values = Object.entries(choices).map(([name, all]) => [
    name,
    all.find((one) => chosen.has(`commonplace-${name}=${one}`)) ?? all[0],
  ]);
  return Object.fromEntries(values) as Choices;
}

/**
 * The page runs its own script alone and loads its own files alone, unless the person lets it load pictures or players. No string ever
 * becomes markup or script: the only policy of Trusted Types names the service worker (`web/kept/offline.ts`).
 */
function policyOf({ images, players }: Choices): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    `img-src 'self' data:${images === 'on' ? ' https:' : ''}`,
    `frame-src 'self'${players === 'on' ? ' https://www.youtube-nocookie.com' : ''}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types commonplace-worker',
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
  scripts: readonly (keyof AssetNames)[];
  choices: Choices;
  /** The first view, as the renderer drew it. */
  html: string;
  /** The data that the script continues from. */
  start: unknown;
}

export function documentHtml({ names, title, scripts, choices: chosen, html, start }: FirstDocument): string {
  const asset = (name: keyof AssetNames) => `${assetsPath}/${names[name]}`;
  return markup`<!doctype html>
<html lang="en" ${{ html: looks.map((name) => `data-${name}="${chosen[name]}"`).join(' ') }}>
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
${scripts.map((name) => markup`<script type="module" src="${asset(name)}"></script>`)}
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
