import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Box } from '../parts/form.tsx';
import { useStore } from '../data/store.ts';
import { text } from '../text.ts';
import type { Choices, Start } from '../data/records.ts';

/** Colours and type, and what is loaded from elsewhere. */
export function Appearance(): JSX.Element {
  return (
    <section>
      <h2>{text.settings.looks}</h2>
      <Choice name="theme" />
      <Choice name="rows" />
      <TypeChoices />
      <fieldset>
        <legend>{text.settings.loading}</legend>
        <p class="soft">{text.settings.loadingHint}</p>
        <Switch name="icons" />
        <Switch name="images" />
        <Switch name="players" />
      </fieldset>
    </section>
  );
}

/** How a text that is read looks. */
export function TypeChoices(): JSX.Element {
  return (
    <>
      <Choice name="size" />
      <Choice name="width" />
      <Choice name="lines" />
    </>
  );
}

/** One of a few values for how the page looks in this browser. */
function Choice({ name }: { name: keyof typeof text.settings.choices }): JSX.Element {
  const { start } = useStore();
  const [chosen, setChosen] = useState<string>(start.choices[name]);
  const { title, values } = text.settings.choices[name];
  return (
    <fieldset class="choices">
      <legend>{title}</legend>
      {Object.entries(values).map(([value, shown]) => (
        <Box
          key={value}
          label={shown}
          type="radio"
          name={name}
          value={value}
          checked={chosen === value}
          onChange={() => {
            setChosen(value);
            choose(start, name, value as never);
          }}
        />
      ))}
    </fieldset>
  );
}

/** The policy of a document cannot change while it is shown, so it is loaded again. */
function Switch({ name }: { name: 'icons' | 'images' | 'players' }): JSX.Element {
  const { start } = useStore();
  return (
    <Box
      label={text.settings[name]}
      checked={start.choices[name] === 'on'}
      onChange={(event) => {
        choose(start, name, event.currentTarget.checked ? 'on' : 'off');
        location.reload();
      }}
    />
  );
}

/* What a person chooses for this browser alone. The server reads it from cookies, so that the first view is right already. */

const yearSeconds = 31_536_000;

/** Keeps a choice, and shows it where the style sheet reads it. The cookies hold no secret and go to this server alone. */
export function choose<Name extends keyof Choices>({ choices }: Start, name: Name, value: Choices[Name]): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `commonplace-${name}=${value}; Path=/; SameSite=Lax; Max-Age=${yearSeconds}${secure}`;
  choices[name] = value;
  document.documentElement.dataset[name] = value;
  // A list measures its rows anew.
  dispatchEvent(new Event('resize'));
}
