import { findOnnxFiles } from './onnx-files.ts';
import { openOnnx } from './onnx-forward.ts';
import { loadOnnxRuntime } from './onnx-runtime.ts';
import { answerTexts, beginModelProcess } from './model-process.ts';
import { loadTokenizer } from './load-tokenizer.ts';

/* The process that holds a user's own model, on the runtime that the user has installed. */

beginModelProcess();
const [, , modelPath = '', runtimePath = ''] = process.argv;
const files = findOnnxFiles(modelPath);
if (files === null) throw new Error('the model’s files are gone');
const tokenizer = await loadTokenizer(files.tokenizer);
const run = await openOnnx(await loadOnnxRuntime(runtimePath), files.model, files);
answerTexts(({ text }) => run(tokenizer.encode(text, files.maxTokens)));
