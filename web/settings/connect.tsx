import type { JSX } from 'preact';
import { useStore } from '../store.ts';
import { text } from '../text.ts';
import { Copied } from './copied.tsx';

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
