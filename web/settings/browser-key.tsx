import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAddress } from '../address.tsx';
import { Do } from '../parts/do.tsx';
import { useWrite } from '../parts/use-write.ts';
import type { Permission } from '../records.ts';
import { text } from '../text.ts';

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
    const input = { name: text.browser.keyName(browser), permissions };
    setKey((await write<{ secret: string }>({ operation: 'create_key', input }))?.secret ?? null);
  };
  if (browser === '')
    return (
      <>
        <h1>{text.views.browser}</h1>
        <p>{text.browser.about}</p>
      </>
    );
  return (
    <>
      <h1>{text.views.browser}</h1>
      <p>{text.browser.asks(browser)}</p>
      <p>{text.browser.may}</p>
      <p>{text.browser.mayNot}</p>
      <p role="status" id="extension-key" data-key={key}>
        {key === null ? <Do class="button" label={text.browser.yes} run={make} /> : text.browser.done}
      </p>
    </>
  );
}
