import { createRequire } from 'node:module';

/** Not installed with the program: they take 90 MB, and few people want them. */
const recognitionPackages = ['@napi-rs/canvas', 'tesseract.js', '@tesseract.js-data/eng'] as const;

export function missingPackages(): string[] {
  const require = createRequire(import.meta.url);
  return recognitionPackages.filter((name) => {
    try {
      require.resolve(`${name}/package.json`);
      return false;
    } catch {
      return true;
    }
  });
}
