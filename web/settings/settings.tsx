import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { OwnAccess } from '../data/records.ts';
import { useAnswer, useStore } from '../data/store.ts';
import { Copied } from '../parts/writing.tsx';
import { Access } from './access.tsx';
import { Appearance } from './appearance.tsx';
import { Exports, Imports } from './transfers.tsx';

/** What a person decides about the page and about their library. */
export function Settings(): JSX.Element {
  const { answer } = useAnswer<OwnAccess>('show_access', {});
  // What stands above the wanted part may have come only now.
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), [answer === undefined]);
  return (
    <>
      <Appearance />
      <Connect />
      <Access />
      <Imports />
      <Exports />
      <Account />
    </>
  );
}

function Account(): JSX.Element {
  const { account, hasAccountPage, version } = useStore().start;
  const { answer } = useAnswer<OwnAccess>('show_access', {});
  const name = answer?.name ?? null;
  return (
    <section>
      <h2>Account</h2>
      <p>
        The library “{account}”. {name !== null && `You are signed in as ${name}.`}
      </p>
      {hasAccountPage && (
        <p>
          <a href="/account">Password and account</a>
        </p>
      )}
      <p class="soft">
        What you delete can be restored for 30 days. To remove the whole account with everything in it, whoever runs the
        server uses this:
      </p>
      <Copied content="commonplace account remove <id>" name="the command" />
      <p class="soft version">Commonplace {version}</p>
    </section>
  );
}

/** How an assistant is given this library. */
export function Connect(): JSX.Element {
  const { origin, hasAccountPage, assistantsSignInAt } = useStore().start;
  const address = `${origin}/mcp`;
  const block = {
    mcpServers: { commonplace: { type: 'http', url: address, headers: { Authorization: 'Bearer cpl_…' } } },
  };
  return (
    <section id="connect">
      <h2>Connect an assistant</h2>
      {!hasAccountPage && (
        <>
          <p>On the machine where Commonplace runs, this finds your assistants and sets them up:</p>
          <Copied content="commonplace setup" name="the command" />
        </>
      )}
      <p>
        {assistantsSignInAt === null
          ? 'Programs, and assistants that take an address, use this one, with a token that you make below:'
          : 'Give this address to an assistant that connects by signing in:'}
      </p>
      <Copied content={address} name="the address" />
      <details>
        <summary>The block to paste</summary>
        <p class="soft">For the file in which your assistant lists its servers. Put a token of yours in.</p>
        <Copied content={JSON.stringify(block, null, 2)} name="the block" />
      </details>
    </section>
  );
}
