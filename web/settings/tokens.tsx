import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { SureButton } from '../parts/sure-button.tsx';
import { useWrite } from '../parts/use-write.ts';
import type { OwnAccess, Scope, TokenInfo } from '../records.ts';
import { text } from '../text.ts';
import { Copied } from './copied.tsx';

const scopes = Object.keys(text.settings.scopes) as Scope[];
const days = ['90', '30', '365', '0'] as const;

export function mayWords(allowed: readonly Scope[]): string {
  return allowed.length === scopes.length
    ? text.settings.mayAll
    : text.settings.may(allowed.map((scope) => text.settings.scopes[scope]));
}

/** Tokens: the list, and making one. */
export function Tokens({ tokens }: Pick<OwnAccess, 'tokens'>): JSX.Element {
  return (
    <section>
      <h2>{text.settings.tokens}</h2>
      <p class="soft">{text.settings.tokensHint}</p>
      {tokens.length === 0 ? (
        <p>{text.settings.noTokens}</p>
      ) : (
        <ul class="things">
          {tokens.map((token) => (
            <Token key={token.id} {...token} />
          ))}
        </ul>
      )}
      <MakeToken />
    </section>
  );
}

function Token({ id, name, scopes: allowed, expiresAt, lastUsedAt }: TokenInfo): JSX.Element {
  const write = useWrite();
  return (
    <li>
      <div>
        <p class="thing">{name}</p>
        <p class="soft">{mayWords(allowed)}</p>
        <p class="soft">
          {text.settings.until(expiresAt === null ? null : text.day(expiresAt))}, {text.settings.lastUsed(lastUsedAt)}
        </p>
      </div>
      <SureButton
        label={text.settings.end}
        name={text.settings.endToken(name)}
        onSure={() => void write({ operation: 'end_token', input: { id }, done: text.settings.tokenEnded })}
      />
    </li>
  );
}

function MakeToken(): JSX.Element {
  const write = useWrite();
  const [made, setMade] = useState<string | null>(null);
  const box = useRef<HTMLDetailsElement>(null);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    const lifetime = Number(fields.get('days'));
    const answer = await write<{ token: string }>({
      operation: 'make_token',
      input: {
        name: fields.get('name'),
        scopes: fields.getAll('scope'),
        ...(lifetime > 0 && { days: lifetime }),
      },
    });
    if (answer === null) return;
    setMade(answer.token);
    form.reset();
    if (box.current !== null) box.current.open = false;
  };
  return (
    <>
      <div role="status">
        {made !== null && (
          <div class="warning">
            <p>{text.settings.newToken}</p>
            <Copied content={made} name={text.settings.theToken} />
          </div>
        )}
      </div>
      <details ref={box}>
        <summary>{text.settings.makeToken}</summary>
        <form class="fields" onSubmit={(event) => void submit(event)}>
          <label>
            <span>{text.settings.tokenName}</span>
            <input name="name" required maxlength={100} placeholder={text.settings.tokenNameHint} autocomplete="off" />
          </label>
          <label>
            <span>{text.settings.days}</span>
            <select name="days">
              {days.map((one) => (
                <option value={one}>{text.settings.daysChoices[one]}</option>
              ))}
            </select>
          </label>
          <fieldset class="plain-set">
            <legend>{text.settings.allowed}</legend>
            {scopes.map((scope) => (
              <label class="choice">
                <input type="checkbox" name="scope" value={scope} checked />
                <span>{text.settings.scopes[scope]}</span>
              </label>
            ))}
          </fieldset>
          <button class="button">{text.settings.make}</button>
        </form>
      </details>
    </>
  );
}
