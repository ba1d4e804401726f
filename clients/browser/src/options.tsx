import { render, type ComponentChildren, type JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { getKey, originOf, patternOf } from './get-key.ts';
import { ask } from './messages.ts';
import type { Save } from './save.ts';
import { changeSettings, readSettings, type Settings } from './settings.ts';

/* The page of options: where the library is, what is drawn on pages, and what waits to be sent. */

function Options(): JSX.Element | null {
  const [settings, setSettings] = useState<Settings | null>(null);
  const change = async (changes: Partial<Settings>): Promise<void> => {
    await changeSettings(changes);
    setSettings(await readSettings());
  };
  useEffect(() => void readSettings().then(setSettings), []);
  if (settings === null) return null;
  const choice = (way: Settings['way'], words: string, more: ComponentChildren): JSX.Element => (
    <section>
      <label class="choice">
        <input type="radio" name="way" checked={settings.way === way} onChange={() => void change({ way })} />
        <span>{words}</span>
      </label>
      {settings.way === way && more}
    </section>
  );
  return (
    <>
      <h1>Commonplace in this browser</h1>
      <h2>Where your library is</h2>
      {choice('machine', 'On this machine', <Machine />)}
      {choice('server', 'On a server', <Server settings={settings} change={change} />)}
      <h2>On pages</h2>
      <label class="choice">
        <input type="checkbox" checked={settings.draws} onChange={() => void change({ draws: !settings.draws })} />
        <span>Draw my highlights when I open the panel on a saved page</span>
      </label>
      <p class="soft">
        Nothing is put into a page until you press the button, use the menu or the keys on it. Only then its address is
        looked up in your library. What you save goes to your library, and to nobody else.
      </p>
      <Waiting />
    </>
  );
}

/** Calls the library, and shows what it says. */
function Greeting(): JSX.Element {
  const [words, setWords] = useState('');
  const [isBad, setBad] = useState(false);
  const greet = async (): Promise<void> => {
    setWords('Trying …');
    const answer = await ask('greet', {});
    setBad('why' in answer);
    if ('why' in answer) setWords(answer.message);
    else setWords(answer.version === '' ? 'It works.' : `It works: Commonplace ${answer.version}.`);
  };
  return (
    <>
      <button type="button" class="quiet" onClick={() => void greet()}>
        Try it
      </button>
      <p role="status" class={isBad ? 'problem' : ''}>
        {words}
      </p>
    </>
  );
}

function Machine(): JSX.Element {
  return (
    <>
      <p class="soft">
        Without a server and without a key: the browser starts Commonplace when you first save, and ends it with itself.
        It has to be told once, in a terminal: <code>commonplace setup</code>
      </p>
      <Greeting />
    </>
  );
}

interface ServerParts {
  settings: Settings;
  change: (changes: Partial<Settings>) => Promise<void>;
}

function Server({ settings: { server, key }, change }: ServerParts): JSX.Element {
  const [typed, setTyped] = useState(server);
  const [words, setWords] = useState('');
  const connect = async (): Promise<void> => {
    try {
      const origin = originOf(typed);
      // First of all: the browser asks only right after a press.
      if (!(await chrome.permissions.request({ origins: [patternOf(origin)] })))
        throw new Error('Without the permission for this address the extension cannot send anything there.');
      setWords('Press the button on the page of your server that has opened.');
      await change({ server: origin, key: await getKey(origin) });
      setWords('');
      void ask('greet', {});
    } catch (error) {
      setWords(error instanceof Error ? error.message : String(error));
    }
  };
  const leave = async (): Promise<void> => {
    await change({ server: '', key: '' });
    await chrome.permissions.remove({ origins: [patternOf(server)] }).catch(() => false);
  };
  if (key !== '')
    return (
      <>
        <p role="status">Connected to {server}.</p>
        <p class="soft">
          It has a key that saves pages, marks words, and sees whether a page is saved. To end the key itself, open{' '}
          <a href={`${server}/app/settings`}>the settings of the server</a>.
        </p>
        <div class="pair">
          <button type="button" class="quiet" onClick={() => void connect()}>
            Get another key
          </button>
          <button type="button" class="quiet" onClick={() => void leave()}>
            Disconnect
          </button>
        </div>
        <p role="status">{words}</p>
        <Greeting />
      </>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void connect();
      }}
    >
      <label>
        <span>Its address</span>
        <input
          value={typed}
          required
          inputmode="url"
          placeholder="https://library.example.org"
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </label>
      <button>Connect</button>
      <p role="status">{words}</p>
    </form>
  );
}

/** What was not sent yet, and what the library refused. */
function Waiting(): JSX.Element | null {
  const [saves, setSaves] = useState<Save[]>([]);
  const list = async (): Promise<void> => setSaves(await ask('list', {}));
  useEffect(() => void list(), []);
  const then = async (work: Promise<unknown>): Promise<void> => {
    await work.catch(() => undefined);
    await list();
  };
  if (saves.length === 0) return null;
  return (
    <section>
      <h2>Not sent yet</h2>
      <ul>
        {saves.map(({ id, title, url, at, refused }) => (
          <li key={id}>
            <p>{title || url}</p>
            <p class="soft">{new Date(at).toLocaleString()}</p>
            {refused !== null && <p class="problem">{refused}</p>}
            <div class="pair">
              <button type="button" class="quiet" onClick={() => void then(ask('retry', { id }))}>
                Try now
              </button>
              <button type="button" class="quiet" onClick={() => void then(ask('discard', { id }))}>
                Discard
              </button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

render(<Options />, document.querySelector('#content') as HTMLElement);
