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
      <h2>Looks</h2>
      <Choice name="theme" />
      <Choice name="rows" />
      <TypeChoices />
      <fieldset>
        <legend>Content from other sites</legend>
        <p class="soft">
          Nothing is loaded from them unless you allow it: the site of a picture or a player learns that you look at it,
          and when. Icons, and the pictures of cards, are fetched once by your server, which keeps them.
        </p>
        <Switch name="icons" label="Icons of sites" />
        <Switch name="images" label="Pictures of saved pages, in their texts" />
        <Switch name="players" label="Players of YouTube videos" />
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
function Switch({ name, label }: { name: 'icons' | 'images' | 'players'; label: string }): JSX.Element {
  const { start } = useStore();
  return (
    <Box
      label={label}
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
  // A list measures its rows again.
  dispatchEvent(new Event('resize'));
}
