import type { JSX } from 'preact';
import { SureButton, Waiting } from '../parts/elements.tsx';
import { useWrite } from '../parts/use-write.ts';
import type { OwnAccess } from '../records.ts';
import { useAnswer, useStore } from '../store.ts';
import { text } from '../text.ts';
import { KeyList, Tokens, mayWords } from './key-list.tsx';

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
          <h2>{text.settings.assistants}</h2>
          {isElsewhere ? (
            <p>{text.settings.elsewhere(assistantsSignInAt)}</p>
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

function Assistants({ assistants }: Pick<OwnAccess, 'assistants'>): JSX.Element {
  const write = useWrite();
  if (assistants.length === 0) return <p class="soft">{text.settings.noAssistants}</p>;
  return (
    <ul class="things">
      {assistants.map(({ id, name, host, scopes, createdAt, lastUsedAt }) => (
        <li key={id}>
          <div>
            <p class="thing">
              {name} <span class="soft">({host})</span>
            </p>
            <p class="soft">{mayWords(scopes)}</p>
            <p class="soft">
              {text.settings.connected(text.day(createdAt))}, {text.settings.lastUsed(lastUsedAt)}
            </p>
          </div>
          <SureButton
            label={text.settings.cutOff}
            name={text.settings.cutOffNamed(name)}
            onSure={() =>
              void write({ operation: 'end_assistant', input: { id }, done: text.settings.cutOffDone(name) })
            }
          />
        </li>
      ))}
    </ul>
  );
}

/** Ends the session of this browser. What was not sent yet would be lost, as its words say. */
export function useSignOut(): { words: string; run: () => Promise<void> } {
  const store = useStore();
  const { start, outbox } = store;
  const write = useWrite();
  const words = start.hasAccountPage ? text.settings.leave : text.settings.leaveHere;
  const unsent = outbox.waiting.length;
  return {
    words: unsent > 0 ? `${words}. ${text.kept.lost(unsent)}` : words,
    async run() {
      if ((await write({ operation: 'end_session', input: { id: start.session } })) !== null) store.signOut();
    },
  };
}

function Sessions({ sessions }: Pick<OwnAccess, 'sessions'>): JSX.Element {
  const { start } = useStore();
  const write = useWrite();
  const signOut = useSignOut();
  const end = (id: string) => write({ operation: 'end_session', input: { id }, done: text.settings.sessionEnded });
  return (
    <section>
      <h2>{text.settings.sessions}</h2>
      <ul class="things">
        {sessions.map(({ id, browser, createdAt, lastUsedAt }) => {
          const isOwn = id === start.session;
          return (
            <li key={id}>
              <div>
                <p class="thing">
                  {browser} {isOwn && <span class="soft">({text.settings.thisOne})</span>}
                </p>
                <p class="soft">
                  {text.settings.since(text.day(createdAt))}, {text.settings.lastUsed(lastUsedAt)}
                </p>
              </div>
              <SureButton
                label={isOwn ? signOut.words : text.settings.end}
                name={isOwn ? signOut.words : text.settings.endSession(browser)}
                onSure={() => void (isOwn ? signOut.run() : end(id))}
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
