import { parentPort, workerData } from 'node:worker_threads';
import { yieldProcessor } from '../../../workers/memory.ts';
import { openPlacedModel } from './forward.ts';
import { openKernel } from './kernel.ts';
import type { ForwardAnswer, ForwardData, ForwardTask } from './passage-threads.ts';

/* A thread of the process that holds a model. It runs passages through it, one at a time. */

const port = parentPort;
if (port === null) throw new Error('this file runs as a worker thread');
yieldProcessor();
const { module, memory, model, buffers } = workerData as ForwardData;
const run = openPlacedModel(openKernel(module, memory), model, buffers);
port.on('message', ({ ids }: ForwardTask) => {
  const vector = run(ids) as ForwardAnswer;
  port.postMessage(vector, [vector.buffer]);
});
