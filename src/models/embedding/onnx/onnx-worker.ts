import { findOnnxFiles } from './files.ts';
import { openOnnx } from './forward.ts';
import { loadOnnxRuntime } from './runtime.ts';
import { answerTexts, beginModelProcess } from '../model-process.ts';
import { loadTokenizer } from '../tokenizers/load-tokenizer.ts';

/* The process that holds a user's own model, on the runtime that the user installed. */

beginModelProcess();
const [, , modelPath = '', runtimePath = ''] = process.argv;
const files = findOnnxFiles(modelPath);
if (files === null) throw new Error('the model’s files are gone');
const tokenizer = await loadTokenizer(files.tokenizer);
const run = await openOnnx(await loadOnnxRuntime(runtimePath), files.model, files);
answerTexts(({ text }) => run(tokenizer.encode(text, files.maxTokens)));
