import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { SureButton } from '../parts/sure-button.tsx';
import { useWrite } from '../parts/use-write.ts';
import type { Key, OwnAccess, Permission } from '../records.ts';
import { text } from '../text.ts';
import { MadeSecret, SecretForm } from './secret-form.tsx';

type Resource = keyof typeof text.settings.resources;

const resources = Object.keys(text.settings.resources) as Resource[];
const levels = ['read', 'write', 'delete'] as const;
/** What a new key may do, unless the person ticks something else. */
const usual: readonly string[] = ['content:read', 'search:read'];

function wordsOf(allowed: readonly Permission[]): string {
  const may = resources.flatMap((resource) => {
    const these = levels.filter((level) => allowed.includes(`${resource}:${level}`));
    return these.length === 0
      ? []
      : [`${text.settings.resources[resource]} (${these.map((level) => text.settings.levels[level]).join(', ')})`];
  });
  return text.settings.may(may);
}

/** Keys, whose permissions are given one by one. */
export function KeyList({ keys }: Pick<OwnAccess, 'keys'>): JSX.Element {
  const [made, setMade] = useState<string | null>(null);
  return (
    <section>
      <h2>{text.settings.keys}</h2>
      <p class="soft">{text.settings.keysHint}</p>
      {keys.length === 0 ? (
        <p>{text.settings.none}</p>
      ) : (
        <ul class="things">
          {keys.map((key) => (
            <OneKey key={key.id} onSecret={setMade} of={key} />
          ))}
        </ul>
      )}
      <MadeSecret secret={made} />
      <SecretForm
        summary={text.settings.makeKey}
        operation="create_key"
        inputOf={(fields, days) => ({
          name: fields.get('name'),
          permissions: fields.getAll('permission'),
          ...(days !== null && { expiresInDays: days }),
          ...(fields.get('limit') !== '' && { requestsPerMinute: Number(fields.get('limit')) }),
        })}
        onMade={setMade}
      >
        <label>
          <span>{text.settings.limit}</span>
          <input name="limit" type="number" min={1} max={100_000} inputmode="numeric" />
        </label>
        <table class="permissions">
          <caption>{text.settings.allowed}</caption>
          <thead>
            <tr>
              <td />
              {levels.map((level) => (
                <th scope="col">{text.settings.levels[level]}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {resources.map((resource) => (
              <tr>
                <th scope="row">{text.settings.resources[resource]}</th>
                {levels.map((level) => (
                  <td>
                    <label>
                      <input
                        type="checkbox"
                        name="permission"
                        value={`${resource}:${level}`}
                        aria-label={`${text.settings.resources[resource]}: ${text.settings.levels[level]}`}
                        checked={usual.includes(`${resource}:${level}`)}
                      />
                    </label>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </SecretForm>
    </section>
  );
}

function OneKey({ of, onSecret }: { of: Key; onSecret: (secret: string) => void }): JSX.Element {
  const write = useWrite();
  const { id, name, permissions, requestsPerMinute, expiresAt, oldSecretUntil, lastUsedOn } = of;
  const rotate = async (): Promise<void> => {
    const answer = await write<{ secret?: string }>({ operation: 'rotate_key', input: { id } });
    if (answer !== null) onSecret(answer.secret ?? '');
  };
  const facts = [
    text.settings.until(expiresAt === null ? null : text.day(expiresAt)),
    text.settings.lastUsedOn(lastUsedOn),
    requestsPerMinute === null ? '' : text.settings.limitOf(requestsPerMinute),
    oldSecretUntil === null ? '' : text.settings.oldSecretUntil(oldSecretUntil),
  ];
  return (
    <li>
      <div>
        <p class="thing">{name}</p>
        <p class="soft">{wordsOf(permissions)}</p>
        <p class="soft">{facts.filter((fact) => fact !== '').join(', ')}</p>
      </div>
      <div class="pair">
        <SureButton label={text.settings.rotate} name={text.settings.rotateNamed(name)} onSure={() => void rotate()} />
        <SureButton
          label={text.settings.end}
          name={text.settings.endKey(name)}
          onSure={() => void write({ operation: 'revoke_key', input: { id }, done: text.settings.keyEnded })}
        />
      </div>
    </li>
  );
}
