import { hydrate } from 'preact';
import { Store } from './answers.ts';
import { createCall } from './calls.ts';
import { Page } from './page.tsx';
import type { Start } from './start.ts';

const start = JSON.parse(document.getElementById('start')?.textContent ?? '{}') as Start;
const root = document.getElementById('page');

let tellConnection: (isThere: boolean) => void = () => undefined;
const call = createCall(start, (isThere) => tellConnection(isThere));
const onConnection = (listener: (isThere: boolean) => void): void => {
  tellConnection = listener;
};

if (root !== null) hydrate(<Page store={new Store(start, call)} onConnection={onConnection} />, root);
