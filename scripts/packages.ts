import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
};

/** Packages with compiled parts for each platform. An installation fetches them; everything else is part of the build. */
export const installedPackages = Object.keys(manifest.dependencies);

interface CopiedPackage {
  /** The folder in `dist`. */
  folder: string;
  files: string[];
  /** Files that are copied to another name. */
  renamed: Record<string, string>;
}

/** Packages of which the build copies these files, because they load files of their own by path. */
export const copiedPackages: Record<string, CopiedPackage> = {
  'pdfjs-dist': {
    folder: 'pdfjs',
    files: [
      'package.json',
      'LICENSE',
      'cmaps/*.bcmap',
      'cmaps/LICENSE',
      'standard_fonts/*',
      // The `_nowasm_fallback` files are for browsers without WebAssembly, `quickjs-eval` for scripts in forms.
      'wasm/{jbig2,openjpeg,qcms_bg}.wasm',
      'wasm/LICENSE_*{JBIG2,OPENJPEG,QCMS}',
    ],
    // The smaller builds of the same modules.
    renamed: {
      'legacy/build/pdf.min.mjs': 'legacy/build/pdf.mjs',
      'legacy/build/pdf.worker.min.mjs': 'legacy/build/pdf.worker.mjs',
    },
  },
};

/** What packages inside the program try to load, and do without. Without this list, the build would contain those of them that a tool of ours happens to bring along. */
const triedPackages = ['supports-color'];

/** Packages that the joined program loads from outside of itself, if they are there. */
export const separatePackages = [
  ...triedPackages,
  ...installedPackages,
  ...Object.keys(copiedPackages),
  ...Object.keys(manifest.peerDependencies),
];
