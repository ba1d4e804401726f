/* Reads pages and files from outside in processes of their own. ../README.md says how. Nothing else of sources/ is imported from outside it. */
export { createReaders, type Readers, type ReadingContext } from './readers.ts';
export type { Extraction, Need, PagePictures } from './reading-protocol.ts';
export { unlockedResource } from './unlocked-resource.ts';
export { missingPackages } from './recognition-packages.ts';
export { runYtDlp } from './run-yt-dlp.ts';
