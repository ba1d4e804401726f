import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { SureButton } from '../parts/sure-button.tsx';
import { useWrite } from '../parts/use-write.ts';
import type { OwnAccess, Scope, TokenInfo } from '../records.ts';
import { text } from '../text.ts';
import { MadeSecret, SecretForm } from './secret-form.tsx';

const scopes = Object.keys(text.settings.scopes) as Scope[];

export function mayWords(allowed: readonly Scope[]): string {
  return allowed.length === scopes.length
    ? text.settings.mayAll
    : text.settings.may(allowed.map((scope) => text.settings.scopes[scope]));
}

/** Tokens: the list, and making one. */
export function Tokens({ tokens }: Pick<OwnAccess, 'tokens'>): JSX.Element {
  const [made, setMade] = useState<string | null>(null);
  return (
    <section>
      <h2>{text.settings.tokens}</h2>
      <p class="soft">{text.settings.tokensHint}</p>
      {tokens.length === 0 ? (
        <p>{text.settings.none}</p>
      ) : (
        <ul class="things">
          {tokens.map((token) => (
            <Token key={token.id} {...token} />
          ))}
        </ul>
      )}
      <MadeSecret secret={made} />
      <SecretForm
        summary={text.settings.makeToken}
        operation="make_token"
        inputOf={(fields, days) => ({
          name: fields.get('name'),
          scopes: fields.getAll('scope'),
          ...(days !== null && { days }),
        })}
        onMade={setMade}
      >
        <fieldset>
          <legend>{text.settings.allowed}</legend>
          {scopes.map((scope) => (
            <label class="choice">
              <input type="checkbox" name="scope" value={scope} checked />
              <span>{text.settings.scopes[scope]}</span>
            </label>
          ))}
        </fieldset>
      </SecretForm>
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
