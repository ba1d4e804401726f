import { parentPort } from 'node:worker_threads';

/* A worker, as a process or as a thread, that does what it is told: at its start, and by each job. */

const start = process.argv[2] ?? process.env['STUB_START'];
const listen = (receive: (job: Order) => void): void => {
  if (parentPort === null) process.on('message', receive);
  else parentPort.on('message', receive);
};
const send = (message: unknown): void => {
  if (parentPort === null) process.send?.(message);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
  else parentPort.postMessage(message);
};

export type Order = 'work' | 'progress' | 'hang' | 'spin' | 'fill' | 'exit' | 'throw' | 'reject' | 'tell' | 'bytes';

let answered = 0;
const kept: unknown[] = [];

listen((order) => {
  switch (order) {
    case 'hang':
      return;
    case 'spin':
      for (;;);
    case 'fill':
      return void setInterval(() => kept.push(Array.from({ length: 100_000 }, (_, at) => ({ at }))), 1);
    case 'exit':
      return process.exit(7);
    case 'throw':
      throw new Error('nobody caught this');
    case 'reject':
      return void Promise.reject(new Error('nobody waited for this'));
    case 'tell':
      return send({ kind: 'failed', reason: 'these are my last words' });
    case 'bytes':
      return void process.stdin.once('data', (chunk: Buffer) => send({ kind: 'answer', text: chunk.toString() }));
    case 'progress':
      send({ kind: 'progress', done: 1 });
      send({ kind: 'progress', done: 2 });
  }
  answered += 1;
  send({ kind: 'answer', text: `${order} ${answered}` });
});

if (parentPort === null) process.on('disconnect', () => process.exit(0));
if (start === 'dies') {
  process.stderr.write('a module of mine is missing');
  process.exitCode = 9;
  if (parentPort === null) process.disconnect();
  else parentPort.close();
} else if (start !== 'mute') send({ kind: 'ready' });
