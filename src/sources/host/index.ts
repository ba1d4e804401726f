/* Reads external pages and files in separate processes, as ../README.md describes. Nothing else of sources/ is imported from outside it. */
export { createReaders, type Readers, type ReadingContext } from './readers.ts';
export type { Extraction, Need, PagePictures } from './reading-protocol.ts';
export { unlockedResource } from './unlocked-resource.ts';
export { missingPackages } from './recognition-packages.ts';
export { runYtDlp } from './run-yt-dlp.ts';
