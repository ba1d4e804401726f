import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { OwnAccess } from '../data/records.ts';
import { useAnswer, useStore } from '../data/store.ts';
import { text } from '../text.ts';
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
      <h1>{text.views.settings}</h1>
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
      <h2>{text.settings.account}</h2>
      <p>
        {text.settings.library(account)} {name !== null && text.settings.signedInAs(name)}
      </p>
      {hasAccountPage && (
        <p>
          <a href="/account">{text.settings.accountPage}</a>
        </p>
      )}
      <p class="soft">{text.settings.removal}</p>
      <Copied content={text.settings.removeCommand} name={text.settings.theCommand} />
      <p class="soft version">{text.settings.version(version)}</p>
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
