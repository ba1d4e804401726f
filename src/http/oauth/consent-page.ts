import { scopes, type Scope } from '../../domain/records/account.ts';
import type { Person } from '../../services/sign-in/sign-in.ts';
import { markup, type DocsMarkup } from '../docs/markup.ts';
import { scopeChoices } from '../sign-in/account-page.ts';
import type { Browser } from '../sign-in/browser.ts';
import { form, problem } from '../sign-in/layout.ts';

interface ConsentRequest {
  person: Person;
  uid: string;
  /** What the assistant calls itself. */
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
  return markup`<h1>Let “${name}” use your library?</h1>
${problem(asked.why)}
<p>It asks for the library <strong>${person.accountName}</strong>. The answer goes to <strong>${host}</strong>.</p>
<p class="soft">${
    describedAt === null
      ? 'The name is what it says of itself; nobody has checked it. Go on only if you have just started this yourself, in an assistant that you trust.'
      : markup`It is described at ${describedAt}. Go on only if you have just started this yourself, in an assistant that you trust.`
  }</p>
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
