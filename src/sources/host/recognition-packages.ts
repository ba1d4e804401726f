import { createRequire } from 'node:module';

/** Packages that recognition needs and that are not installed with the program: 90 MB that few people want. */
const recognitionPackages = ['@napi-rs/canvas', 'tesseract.js', '@tesseract.js-data/eng'] as const;

/** Which of them are missing. */
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
