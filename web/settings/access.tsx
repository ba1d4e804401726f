import type { ComponentChildren, JSX } from 'preact';
import { Do } from '../parts/do.tsx';
import { Waiting } from '../parts/elements.tsx';
import { Thing } from '../parts/things.tsx';
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

const beside = (name: string, words: string): ComponentChildren => (
  <>
    {name} <span class="soft">({words})</span>
  </>
);

function Assistants({ assistants }: Pick<OwnAccess, 'assistants'>): JSX.Element {
  if (assistants.length === 0) return <p class="soft">{text.settings.noAssistants}</p>;
  return (
    <ul class="listed">
      {assistants.map(({ id, name, host, scopes, createdAt, lastUsedAt }) => {
        const end = { operation: 'end_assistant', input: { id }, done: text.settings.cutOffDone(name) };
        return (
          <Thing
            key={id}
            title={beside(name, host)}
            facts={[mayWords(scopes), text.settings.connected(text.day(createdAt)), text.settings.lastUsed(lastUsedAt)]}
            does={<Do label={text.settings.cutOff} of={name} sure={text.sure} run={end} />}
          />
        );
      })}
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
  const signOut = useSignOut();
  return (
    <section>
      <h2>{text.settings.sessions}</h2>
      <ul class="listed">
        {sessions.map(({ id, browser, createdAt, lastUsedAt }) => {
          const end = { operation: 'end_session', input: { id }, done: text.settings.sessionEnded };
          return (
            <Thing
              key={id}
              title={id === start.session ? beside(browser, text.settings.thisOne) : browser}
              facts={[text.settings.since(text.day(createdAt)), text.settings.lastUsed(lastUsedAt)]}
              does={
                id === start.session ? (
                  <Do label={signOut.words} sure={text.sure} run={signOut.run} />
                ) : (
                  <Do label={text.settings.end} of={browser} sure={text.sure} run={end} />
                )
              }
            />
          );
        })}
      </ul>
    </section>
  );
}
