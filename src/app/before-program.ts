/* This code runs before the program is loaded. It is one file in the build, because opening a file takes longer than reading it. */
export { askServer } from '../cli/asking/ask-server.ts';
export { startModelAhead } from './model-ahead.ts';
export { allocateSmall } from '../workers/memory.ts';
