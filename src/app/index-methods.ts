import { leanForm } from '../operations/answers/lean.ts';
import { createIndexMethods } from '../search/index-methods.ts';

/** The searches of this program, for each place where libraries are: `library-worker.ts`, or the calling thread. */
export const indexMethods = () => createIndexMethods({ lean: leanForm });
