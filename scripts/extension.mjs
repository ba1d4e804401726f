import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { joinModules } from './page.mjs';

const browsers = ['chromium', 'firefox'];
const scripts = {
  background: 'background.ts',
  panel: 'panel.tsx',
  options: 'options.tsx',
  page: join('page', 'page.ts'),
};

/**
 * Joins the browser extension, `clients/browser`, once for each family of browsers: they differ in their manifests alone.
 * @returns the paths of all joined modules that belong to packages
 */
export async function buildExtension(root) {
  const [source, target] = [join(root, 'clients', 'browser'), join(root, 'dist', 'extension')];
  const read = (...path) => readFileSync(join(root, ...path), 'utf8');
  rmSync(target, { recursive: true, force: true });
  const { version } = JSON.parse(read('package.json'));
  const { chromium, firefox, ...manifest } = JSON.parse(read('clients', 'browser', 'manifest.json'));
  const own = { chromium, firefox };
  // Its font is the page's alone.
  const tokens = read('web', 'styles', 'tokens.css').replace(/@font-face \{[^}]*\}/, '');
  const files = { 'pages.css': tokens + read('clients', 'browser', 'src', 'pages.css') };
  const modules = [];
  for (const [name, file] of Object.entries(scripts)) {
    const joined = await joinModules(join(source, 'src', file), 'browser', true, 'iife');
    files[`${name}.js`] = joined.code;
    modules.push(...joined.modules);
  }
  for (const browser of browsers) {
    const folder = join(target, browser);
    mkdirSync(folder, { recursive: true });
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    for (const page of ['panel.html', 'options.html']) cpSync(join(source, 'src', page), join(folder, page));
    cpSync(join(root, 'web', 'images', 'icon-192.png'), join(folder, 'icon.png'));
    const whole = { ...manifest, version, ...own[browser] };
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(whole, null, 2));
  }
  return modules.filter((id) => id.includes('/node_modules/'));
}
