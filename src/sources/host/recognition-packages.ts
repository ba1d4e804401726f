import { createRequire } from 'node:module';

/**
 * Packages that text recognition needs. They are not installed with the program, because they take 90 MB and few people
 * want them.
 */
const recognitionPackages = ['@napi-rs/canvas', 'tesseract.js', '@tesseract.js-data/eng'] as const;

/** The recognition packages that are missing. */
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
