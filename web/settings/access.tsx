import type { ComponentChildren, JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Copied, Do, useSignOut, useWrite, type Write } from '../parts/writing.tsx';
import { Waiting } from '../parts/elements.tsx';
import { Thing } from '../parts/things.tsx';
import type { OwnAccess, Key, Permission, Scope } from '../data/records.ts';
import { useAnswer, useStore } from '../data/store.ts';
import { text } from '../text.ts';
import { Box, Field } from '../parts/form.tsx';
import { useAddress } from '../address.tsx';

const daysWords = { 30: '30 days', 90: '90 days', 365: 'a year', 0: 'as long as it is not ended' };
const heldToWords = (held: { tags: readonly string[]; lists: readonly string[] } | null): string =>
  held === null ? '' : `restricted to ${[...held.tags.map((tag) => `#${tag}`), ...held.lists].join(', ')}`;
const lastUsedWords = (time: string | null): string =>
  time === null ? 'not used yet' : `last used ${text.minute(time)}`;
const levelWords = { read: 'read', write: 'write', delete: 'delete' };
const resourceWords = {
  content: 'saved items',
  search: 'search',
  actions: 'action items',
  goals: 'goals',
  history: 'history and undo',
  keys: 'keys',
};
const scopeWords = {
  'content:read': 'read everything you saved, with your notes',
  'content:write': 'save, change and delete items',
  'search:read': 'search in what you saved',
  'actions:read': 'see your action items',
  'actions:write': 'complete and change action items',
  'goals:read': 'see your goals',
  'goals:write': 'add and change goals',
};

/** Who may use the library, and the ends of it. */
export function Access(): JSX.Element {
  const { answer, error } = useAnswer<OwnAccess>('show_access', {});
  const { assistantsSignInAt, origin } = useStore().start;
  if (answer === undefined) return <Waiting error={error} />;
  const isElsewhere = assistantsSignInAt !== null && assistantsSignInAt !== origin;
  return (
    <>
      {assistantsSignInAt !== null && (
        <section>
          <h2>Connected assistants</h2>
          {isElsewhere ? (
            <p>Assistants sign in at {assistantsSignInAt}, where their access is ended, too.</p>
          ) : (
            <Assistants assistants={answer.assistants} />
          )}
        </section>
      )}
      <Tokens tokens={answer.tokens} />
      <KeyList keys={answer.keys} />
      {answer.sessions.length > 0 && <Sessions sessions={answer.sessions} />}
    </>
  );
}

const beside = (name: string, words: string): ComponentChildren => (
  <>
    {name} <span class="soft">({words})</span>
  </>
);

function Assistants({ assistants }: Pick<OwnAccess, 'assistants'>): JSX.Element {
  if (assistants.length === 0) return <p class="soft">None yet.</p>;
  return (
    <ul class="listed">
      {assistants.map(({ id, name, host, scopes, createdAt, lastUsedAt }) => (
        <Thing
          key={id}
          title={beside(name, host)}
          facts={[mayWords(scopes), `Connected ${text.day(createdAt)}`, lastUsedWords(lastUsedAt)]}
          does={<Do label="Cut off" of={name} sure="Sure?" run={['end_assistant', { id }, `${name} is cut off.`]} />}
        />
      ))}
    </ul>
  );
}

function Sessions({ sessions }: Pick<OwnAccess, 'sessions'>): JSX.Element {
  const { start } = useStore();
  const signOut = useSignOut();
  return (
    <section>
      <h2>Browsers</h2>
      <ul class="listed">
        {sessions.map(({ id, browser, createdAt, lastUsedAt }) => (
          <Thing
            key={id}
            title={id === start.session ? beside(browser, 'this one') : browser}
            facts={[`Since ${text.day(createdAt)}`, lastUsedWords(lastUsedAt)]}
            does={
              id === start.session ? (
                <Do label={signOut.words} sure="Sure?" run={signOut.run} />
              ) : (
                <Do label="End" of={browser} sure="Sure?" run={['end_session', { id }, 'The session is ended.']} />
              )
            }
          />
        ))}
      </ul>
    </section>
  );
}

type Resource = keyof typeof resourceWords;

const scopes = Object.keys(scopeWords) as Scope[];
const resources = Object.keys(resourceWords) as Resource[];
const levels = ['read', 'write', 'delete'] as const;
const lifetimes = (['90', '30', '365', '0'] as const).map((days) => [days, daysWords[days]] as const);
/** What a new key may do, unless the person ticks something else. */
const usual: readonly string[] = ['content:read', 'search:read'];

function mayWords(allowed: readonly Scope[]): string {
  return allowed.length === scopes.length
    ? 'may do everything'
    : `may ${allowed.map((scope) => scopeWords[scope]).join('; ')}`;
}

function keyMayWords(allowed: readonly Permission[]): string {
  const may = resources.map((resource) => {
    const these = levels.filter((level) => allowed.includes(`${resource}:${level}`));
    return these.map((level) => levelWords[level]).join(', ');
  });
  const named = may.map((words, index) => words && `${resourceWords[resources[index] ?? 'keys']} (${words})`);
  if (allowed.includes('capture:read')) named.push('whether one page is saved, and its highlights');
  return `may ${named.filter(Boolean).join('; ')}`;
}

/** Tokens: the list, and making one. */
export function Tokens({ tokens }: Pick<OwnAccess, 'tokens'>): JSX.Element {
  return (
    <Secrets
      title="Tokens"
      hint="For programs, and for assistants that take a token. Whoever has it can do what it allows."
      listed={tokens.map(({ id, name, scopes: allowed, expiresAt, lastUsedAt, heldTo }) => ({
        name,
        may: mayWords(allowed),
        facts: [heldToWords(heldTo), until(expiresAt), lastUsedWords(lastUsedAt)],
        end: ['end_token', { id }, 'The token is ended.'],
      }))}
      make="Make a token"
      operation="make_token"
      inputOf={(fields, days) => ({ scopes: fields.getAll('scope'), ...(days !== null && { days }) })}
    >
      <fieldset>
        <legend>Whoever has it may</legend>
        {scopes.map((scope) => (
          <Box label={scopeWords[scope]} name="scope" value={scope} checked />
        ))}
      </fieldset>
    </Secrets>
  );
}

/** Keys, whose permissions are given one by one. */
export function KeyList({ keys }: Pick<OwnAccess, 'keys'>): JSX.Element {
  return (
    <Secrets
      title="Keys"
      hint="For programs that should do little: permissions one by one, and their own limit. A new secret lets the one before work for another hour."
      listed={keys.map(listedKey)}
      make="Make a key"
      operation="create_key"
      inputOf={(fields, days) => ({
        permissions: fields.getAll('permission'),
        ...(days !== null && { expiresInDays: days }),
        ...(fields.get('limit') !== '' && { requestsPerMinute: Number(fields.get('limit')) }),
      })}
    >
      <Field label="Requests a minute (empty: as the server allows)" name="limit" type="number" min={1} max={100_000} />
      <table class="permissions">
        <caption>Whoever has it may</caption>
        <thead>
          <tr>
            <td />
            {levels.map((level) => (
              <th scope="col">{levelWords[level]}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {resources.map((resource) => (
            <tr>
              <th scope="row">{resourceWords[resource]}</th>
              {levels.map((level) => (
                <td>
                  <label>
                    <input
                      type="checkbox"
                      name="permission"
                      value={`${resource}:${level}`}
                      aria-label={`${resourceWords[resource]}: ${levelWords[level]}`}
                      checked={usual.includes(`${resource}:${level}`)}
                    />
                  </label>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Secrets>
  );
}

function listedKey(key: Key): Listed {
  const { id, name, permissions, requestsPerMinute, expiresAt, oldSecretUntil, lastUsedOn, heldTo } = key;
  return {
    name,
    may: keyMayWords(permissions),
    facts: [
      heldToWords(heldTo),
      until(expiresAt),
      lastUsedOn === null ? 'not used yet' : `last used ${text.day(lastUsedOn)}`,
      requestsPerMinute === null ? '' : `${text.number(requestsPerMinute)} requests a minute`,
      oldSecretUntil === null ? '' : `the secret before works until ${text.minute(oldSecretUntil)}`,
    ],
    rotate: ['rotate_key', { id }],
    end: ['revoke_key', { id }, 'The key is ended.'],
  };
}

const until = (time: string | null): string => (time === null ? 'Does not expire' : `Until ${text.day(time)}`);

interface Listed {
  name: string;
  may: string;
  facts: readonly string[];
  /** The calls that give a new secret, and that end it. */
  rotate?: Write;
  end: Write;
}

interface SecretsParts {
  title: string;
  hint: string;
  listed: readonly Listed[];
  make: string;
  operation: 'make_token' | 'create_key';
  /** @param days null: it does not expire */
  inputOf: (fields: FormData, days: number | null) => object;
  /** What a new one may do. */
  children: ComponentChildren;
}

/** Tokens or keys, and a form that makes one: what it is for, how long it works, and what it may do. */
function Secrets({ title, hint, listed, make, operation, inputOf, children }: SecretsParts): JSX.Element {
  const write = useWrite();
  const box = useRef<HTMLDetailsElement>(null);
  const [made, setMade] = useState<string | null>(null);
  const ask = async (...call: Write): Promise<boolean> => {
    const answer = await write<{ token?: string; secret?: string }>(...call);
    if (answer !== null) setMade(answer.token ?? answer.secret ?? '');
    return answer !== null;
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    const input = { name: fields.get('name'), ...inputOf(fields, Number(fields.get('days')) || null) };
    if (!(await ask(operation, input))) return;
    form.reset();
    if (box.current !== null) box.current.open = false;
  };
  return (
    <section>
      <h2>{title}</h2>
      <p class="soft">{hint}</p>
      {listed.length === 0 && <p>None.</p>}
      <ul class="listed">
        {listed.map(({ name, may, facts, rotate, end }) => (
          <Thing
            key={JSON.stringify(end)}
            title={name}
            facts={[may, ...facts]}
            does={
              <>
                {rotate !== undefined && <Do label="New secret" of={name} sure="Sure?" run={() => ask(...rotate)} />}
                <Do label="End" of={name} sure="Sure?" run={end} />
              </>
            }
          />
        ))}
      </ul>
      <div role="status">
        {made !== null && (
          <div class="warning">
            <p>Your new secret. Keep it now: it is not shown again.</p>
            <Copied content={made} name="the secret" />
          </div>
        )}
      </div>
      <details ref={box}>
        <summary>{make}</summary>
        <form class="own-form" onSubmit={(event) => void submit(event)}>
          <Field
            label="What it is for"
            name="name"
            required
            maxlength={100}
            placeholder="the laptop"
            autocomplete="off"
          />
          <Field label="It works for" name="days" options={lifetimes} />
          {children}
          <button class="button">Make it</button>
        </form>
      </details>
    </section>
  );
}

const permissions: readonly Permission[] = ['content:write', 'capture:read'];
const maxName = 60;

/**
 * Where the browser extension sends its person for a key (`clients/browser/src/get-key.ts`). The extension reads it from this page:
 * the person allowed it to look at this server, and no other page can.
 */
export function BrowserKey(): JSX.Element {
  const write = useWrite();
  const { query } = useAddress();
  const [key, setKey] = useState<string | null>(null);
  const browser = (query.get('name') ?? '').slice(0, maxName);
  const make = async (): Promise<void> => {
    const input = { name: `Extension of ${browser}`, permissions };
    setKey((await write<{ secret: string }>('create_key', input))?.secret ?? null);
  };
  if (browser === '')
    return (
      <p>
        The extension saves the page in front of you as you see it: behind a login, and after its scripts have run. It
        comes with Commonplace, in the folder dist/extension. Once it is in your browser, its options ask this server
        for a key.
      </p>
    );
  return (
    <>
      <p>The Commonplace extension of {browser} asks for its own key.</p>
      <p>
        With it, the extension may save pages, and mark words in them. Of a page that you ask it about, it sees whether
        you saved it, when, and its tags, note and highlights; and it sees the names of your tags.
      </p>
      <p>
        It may not read, search, change or delete what you saved. You end it in the settings, under Keys, whenever you
        like.
      </p>
      <p role="status" id="extension-key" data-key={key}>
        {key === null ? (
          <Do class="button" label="Let it save" run={make} />
        ) : (
          'Done: the extension has its key. You can close this page.'
        )}
      </p>
    </>
  );
}
