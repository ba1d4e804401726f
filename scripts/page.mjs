import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join, sep } from 'node:path';
import { rolldown } from 'rolldown';
import subsetFont from 'subset-font';

const forward = (path) => path.split(sep).join('/');

/** Styles come in this order: what stands alone first, then what uses it. */
const styles = ['tokens', 'base', 'shell', 'library', 'reading', 'views', 'help'];
const font = '@fontsource/literata/files/literata-latin-400-normal.woff2';
/** Its letters, as `unicode-range` in tokens.css has them: those of western Europe, and signs that prose uses. Others, and signs of code and sums, come from the next font. */
const fontRanges = [
  [0x20, 0x22],
  [0x24, 0x3b],
  [0x3f, 0x3f],
  [0x41, 0x5b],
  [0x5d, 0x5d],
  [0x61, 0x7a],
  [0xa0, 0xa1],
  [0xab, 0xab],
  [0xb0, 0xb0],
  [0xb7, 0xb7],
  [0xbb, 0xbb],
  [0xbf, 0xd6],
  [0xd8, 0xf6],
  [0xf8, 0xff],
  [0x152, 0x153],
  [0x2010, 0x2014],
  [0x2018, 0x201a],
  [0x201c, 0x201e],
  [0x2022, 0x2022],
  [0x2026, 0x2026],
  [0x20ac, 0x20ac],
];

/**
 * Joins what runs in a browser, `web/`, to a script, a style sheet and some pictures, whose names change with their content, and joins the
 * same components for the server, which draws the first view with them.
 * @returns the paths of all joined modules and files that belong to packages
 */
export async function buildPage(root) {
  const [source, target] = [join(root, 'web'), join(root, 'dist', 'page')];
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const fontFile = join(root, 'node_modules', font);
  const client = await joinParts(join(source, 'client.tsx'));
  const [captureWindow, worker, server] = [
    await joinModules(join(source, 'save', 'capture-window.ts'), 'browser', true),
    await joinModules(join(source, 'kept', 'worker.ts'), 'browser', true),
    await joinModules(join(source, 'server.tsx'), 'node', false),
  ];
  const files = {
    'capture.js': captureWindow.code,
    'worker.js': worker.code,
    'text.woff2': await smallerFont(readFileSync(fontFile)),
    ...Object.fromEntries(
      globSync('images/*', { cwd: source }).map((file) => [basename(file), readFileSync(join(source, file))]),
    ),
  };
  const names = {};
  const write = (name, content) => {
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
    names[name] = `${basename(name, extname(name))}-${hash}${extname(name)}`;
    writeFileSync(join(target, names[name]), content);
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  for (const { name, fileName, code } of client) {
    names[`${name}.js`] = fileName;
    writeFileSync(join(target, fileName), code);
  }
  const sheet = styles.map((name) => readFileSync(join(source, 'styles', `${name}.css`), 'utf8')).join('\n');
  write('app.css', smaller(sheet).replaceAll('text.woff2', names['text.woff2']));
  writeFileSync(join(target, 'names.json'), JSON.stringify(names));
  writeFileSync(join(target, 'render.js'), server.code);
  return [...client.flatMap(({ moduleIds }) => moduleIds.map(forward)), ...server.modules, forward(fontFile)].filter(
    (id) => id.includes('/node_modules/'),
  );
}

/** The letters and the spaces between them alone: ligatures, small capitals and tables for editors take a quarter of the file. */
function smallerFont(bytes) {
  const letters = fontRanges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
  );
  return subsetFont(bytes, letters.join(''), {
    targetFormat: 'woff2',
    noLayoutClosure: true,
    noHinting: true,
    keepFeatures: ['kern'],
    dropTables: ['GDEF', 'STAT', 'gasp'],
  });
}

const begin = (input, platform) =>
  rolldown({
    input,
    platform,
    // What the later script needs, too, stays in the first one.
    preserveEntrySignatures: 'allow-extension',
    transform: { target: 'es2022' },
    onLog(level, log, report) {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
      if (level === 'warn') report(level, log);
    },
  });

/** The script of the page, and the one that it loads later; their names change with their content. */
async function joinParts(input) {
  const build = await begin({ app: input }, 'browser');
  const names = { entryFileNames: '[name]-[hash:12].js', chunkFileNames: '[name]-[hash:12].js' };
  const { output } = await build.generate({ format: 'esm', minify: true, comments: false, ...names });
  await build.close();
  return output;
}

export async function joinModules(input, platform, minify, format = 'esm') {
  const build = await begin(input, platform);
  const { output } = await build.generate({ format, minify, comments: false, codeSplitting: false });
  await build.close();
  const [{ code, moduleIds }] = output;
  return { code, modules: moduleIds.map(forward) };
}

/** Without comments, and without spaces that no browser needs. */
function smaller(sheet) {
  return sheet
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/;}/g, '}');
}
