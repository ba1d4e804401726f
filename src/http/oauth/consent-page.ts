import { scopes, type Scope } from '../../domain/records/account.ts';
import type { Person } from '../../services/sign-in/sign-in.ts';
import { markup, type DocsMarkup } from '../docs/markup.ts';
import { scopeChoices } from '../sign-in/account-page.ts';
import type { Browser } from '../sign-in/browser.ts';
import { form, problem } from '../sign-in/layout.ts';

interface ConsentRequest {
  person: Person;
  uid: string;
  /** What the assistant calls itself, by `assistantName`. */
  name: string;
  /** Where its answers go. */
  host: string;
  /** The host of the document that describes it, when that is how it is known. */
  describedAt: string | null;
  scopes: readonly Scope[];
  /** Those that the person ticked before; all of them at first. */
  ticked?: readonly Scope[];
  why?: string;
}

/** Says who wants to read what, and lets the person allow less. */
export function consentPage(browser: Browser, asked: ConsentRequest): DocsMarkup {
  const { person, name, host, describedAt } = asked;
  return markup`<h1>Let an assistant use your library?</h1>
${problem(asked.why)}
<p>It asks for the library <strong>${person.accountName}</strong>.</p>
<dl class="asker">
<div><dt>It calls itself (not verified)</dt><dd><bdi>${name}</bdi></dd></div>
<div><dt>The answer goes to</dt><dd><strong>${host}</strong></dd></div>
${describedAt === null ? '' : markup`<div><dt>It is described at</dt><dd>${describedAt}</dd></div>`}
</dl>
<p class="soft">Any program can call itself by any name. Go on only if you have just started this yourself, in an assistant that you trust, and the answer goes where you expect it to go.</p>
${form(
  browser,
  `/oauth/consent/${asked.uid}`,
  markup`<fieldset><legend>It may</legend>${scopeChoices(
    scopes.filter((scope) => asked.scopes.includes(scope)),
    asked.ticked,
  )}</fieldset>
<p class="soft">What it reads, it sends to the company that runs it. You can cut it off at any time on the page of your account.</p>
<button name="decision" value="allow">Allow</button><button class="quiet" name="decision" value="refuse" formnovalidate>Do not allow</button>`,
)}`;
}
