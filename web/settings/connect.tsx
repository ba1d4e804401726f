import type { JSX } from 'preact';
import { useStore } from '../store.ts';
import { text } from '../text.ts';
import { Do } from '../parts/do.tsx';
import { useTell } from '../parts/toast.tsx';

/** How an assistant is given this library. */
export function Connect(): JSX.Element {
  const { origin, hasAccountPage, assistantsSignInAt } = useStore().start;
  const address = `${origin}/mcp`;
  const block = {
    mcpServers: { commonplace: { type: 'http', url: address, headers: { Authorization: 'Bearer cpl_…' } } },
  };
  return (
    <section id="connect">
      <h2>{text.settings.connect}</h2>
      {!hasAccountPage && (
        <>
          <p>{text.settings.connectHere}</p>
          <Copied content="commonplace setup" name={text.settings.theCommand} />
        </>
      )}
      <p>{assistantsSignInAt === null ? text.settings.connectByToken : text.settings.connectBySignIn}</p>
      <Copied content={address} name={text.settings.theAddress} />
      <details>
        <summary>{text.settings.block}</summary>
        <p class="soft">{text.settings.blockHint}</p>
        <Copied content={JSON.stringify(block, null, 2)} name={text.settings.theBlock} />
      </details>
    </section>
  );
}

/** Text to take elsewhere, with a button that copies it. @param name what it is, for whoever cannot see it */
export function Copied({ content, name }: { content: string; name: string }): JSX.Element {
  const tell = useTell();
  return (
    <div class="copied">
      <pre tabindex={0} aria-label={name}>
        <code>{content}</code>
      </pre>
      <Do
        class="button quiet"
        label={text.settings.copy}
        of={name}
        run={() =>
          navigator.clipboard.writeText(content).then(
            () => tell({ message: text.settings.copied }),
            // Without permission the text can still be selected.
            () => undefined,
          )
        }
      />
    </div>
  );
}
