import { heldWords } from '../../domain/access/held.ts';
import { scopes, type Scope } from '../../domain/records/account.ts';
import type { Key } from '../../domain/access/key.ts';
import { minPasswordLength } from '../../domain/access/sign-in.ts';
import type { OwnAccess, Person } from '../../services/sign-in/sign-in.ts';
import { markup, type DocsMarkup } from '../docs/markup.ts';
import { browserName, type Browser } from './browser.ts';
import { form, problem } from './sign-in-pages.ts';

/** Says what each scope lets somebody do, for the person who is asked. */
const scopeWords: Readonly<Record<Scope, string>> = {
  'content:read': 'read everything you saved, with your notes',
  'content:write': 'save, change and delete items',
  'search:read': 'search in what you saved',
  'actions:read': 'see your action items',
  'actions:write': 'complete and change action items',
  'goals:read': 'see your goals',
  'goals:write': 'add and change goals',
};

/** One checkbox for each scope. @param ticked all of them, unless the person has chosen before */
export function scopeChoices(offered: readonly Scope[], ticked: readonly Scope[] = offered): DocsMarkup {
  return markup`${offered.map(
    (scope) =>
      markup`<label class="choice"><input type="checkbox" name="scope" value="${scope}"${ticked.includes(scope) ? markup` checked` : ''}><span>${scopeWords[scope]}</span></label>`,
  )}`;
}

interface AccountView extends OwnAccess {
  person: Person;
  hasPassword: boolean;
  /** Those that are not revoked. */
  keys: readonly Key[];
  /** The authorization server at which assistants sign in, when it is not this one. */
  elsewhere: string;
  /** The address of MCP, for new assistants. */
  mcpUrl: string;
  /** A token that was just made, which is shown once. */
  newToken?: string;
  why?: string;
}

function day(time: string | number): DocsMarkup {
  return markup`<time>${new Date(time).toISOString().slice(0, 10)}</time>`;
}

function minute(time: string | number): DocsMarkup {
  return markup`<time>${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC</time>`;
}

export function accountPage(browser: Browser, view: AccountView): DocsMarkup {
  const { person } = view;
  return markup`<nav aria-label="Pages"><a href="/">Library</a><a href="/app/settings">Settings</a><a href="/docs">API</a></nav>
<h1>Your account</h1>
<p class="soft">The library “${person.accountName}”.${view.name === null ? '' : markup` You are signed in as ${view.name}.`}</p>
${person.plan === 'pro' ? '' : markup`<p class="problem">Assistants and programs cannot use this library yet: access is for Pro accounts, and this account is not one. Whoever runs the server can change that.</p>`}
${problem(view.why)}
${view.newToken === undefined ? '' : newTokenNotice(view.newToken)}
<h2>Connected assistants</h2>
${view.elsewhere !== '' ? markup`<p>Assistants sign in at ${view.elsewhere}, where their access is ended, too. To connect one, give it this address:</p>` : view.assistants.length === 0 ? markup`<p>None yet. Give this address to an assistant that connects by signing in:</p>` : assistantList(browser, view.assistants)}
<pre><code>${view.mcpUrl}</code></pre>
<h2>Tokens</h2>
<p>For programs, and assistants that take a token.</p>
${tokenList(browser, view.tokens)}
<details><summary>Make a token</summary>
${form(
  browser,
  '/account/tokens',
  markup`<label for="token-name">What it is for</label><input id="token-name" name="name" required maxlength="100">
<label for="expires">It works for</label><select id="expires" name="expires"><option value="90">90 days</option><option value="365">a year</option><option value="0">as long as it is not ended</option></select>
<fieldset><legend>Whoever has it may</legend>${scopeChoices(scopes)}</fieldset>
<button>Make it</button>`,
)}</details>
${view.keys.length === 0 ? '' : keyList(browser, view.keys)}
${view.hasPassword ? sessionsAndPassword(browser, view) : ''}`;
}

function newTokenNotice(token: string): DocsMarkup {
  return markup`<div class="problem" role="status"><p>Your new token. Keep it now: it is not shown again.</p><pre><code>${token}</code></pre></div>`;
}

function assistantList(browser: Browser, assistants: OwnAccess['assistants']): DocsMarkup {
  return markup`<ul class="list">${assistants.map(
    ({ id, name, host, scopes: allowed, createdAt, lastUsedAt }) =>
      markup`<li><strong>${name}</strong> <span class="soft">(${host})</span><br>may ${allowed.map((scope) => scopeWords[scope]).join('; ')}.<br>
<span class="soft">Connected ${day(createdAt)}, ${lastUsedAt === null ? 'not used yet' : markup`last used ${minute(lastUsedAt)}`}</span>
${form(browser, '/account/assistants/end', markup`<input type="hidden" name="id" value="${id}"><button class="quiet" aria-label="Cut off ${name}">Cut off</button>`)}</li>`,
  )}</ul><p>To connect another one, give it this address:</p>`;
}

function tokenList(browser: Browser, tokens: OwnAccess['tokens']): DocsMarkup {
  if (tokens.length === 0) return markup`<p class="soft">None.</p>`;
  return markup`<ul class="list">${tokens.map(
    ({ id, name, scopes: allowed, expiresAt, lastUsedAt, heldTo }) =>
      markup`<li><strong>${name}</strong> ${heldWords(heldTo)}<br>may ${allowed.length === scopes.length ? 'do everything' : allowed.map((scope) => scopeWords[scope]).join('; ')}.<br>
<span class="soft">${expiresAt === null ? 'Does not expire' : markup`Until ${day(expiresAt)}`}, ${lastUsedAt === null ? 'never used' : markup`last used ${minute(lastUsedAt)}`}</span>
${form(browser, '/account/tokens/end', markup`<input type="hidden" name="id" value="${id}"><button class="quiet" aria-label="End the token ${name}">End</button>`)}</li>`,
  )}</ul>`;
}

function keyList(browser: Browser, keys: readonly Key[]): DocsMarkup {
  return markup`<h2>Keys</h2>
<p>For programs, with permissions one by one. To end one ends those that it made, too.</p>
<ul class="list">${keys.map(
    ({ id, name, permissions, expiresAt, lastUsedOn, lastUsedFrom, heldTo }) =>
      markup`<li><strong>${name}</strong> ${heldWords(heldTo)}<br>${permissions.join(', ')}<br>
<span class="soft">${expiresAt === null ? 'Does not expire' : markup`Until ${day(expiresAt)}`}, ${lastUsedOn === null ? 'never used' : markup`last used ${day(lastUsedOn)}${lastUsedFrom === null ? '' : ` from ${lastUsedFrom}`}`}</span>
${form(browser, '/account/keys/end', markup`<input type="hidden" name="id" value="${id}"><button class="quiet" aria-label="End the key ${name}">End</button>`)}</li>`,
  )}</ul>`;
}

function sessionsAndPassword(browser: Browser, { person, sessions }: AccountView): DocsMarkup {
  return markup`<h2>Sessions</h2>
<ul class="list">${sessions.map(
    ({ id, browser: agent, createdAt, lastUsedAt }) =>
      markup`<li>${browserName(agent)}${id === person.sessionId ? markup` <strong>(this one)</strong>` : ''}<br>
<span class="soft">Since ${day(createdAt)}, last used ${minute(lastUsedAt)}</span>
${id === person.sessionId ? '' : form(browser, '/account/sessions/end', markup`<input type="hidden" name="id" value="${id}"><button class="quiet" aria-label="End the session of ${browserName(agent)}">End</button>`)}</li>`,
  )}</ul>
${form(browser, '/sign-out', markup`<button class="quiet">Sign out</button>`)}
<h2>Password</h2>
<details><summary>Change it</summary>
${form(
  browser,
  '/account/password',
  markup`<label for="present">Present password</label><input id="present" name="present" type="password" autocomplete="current-password" required>
<label for="next">New password</label><input id="next" name="next" type="password" autocomplete="new-password" required minlength="${minPasswordLength}">
<p class="soft">Your other sessions end.</p><button>Change it</button>`,
)}</details>`;
}
