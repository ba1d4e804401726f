import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useStore } from '../store.ts';
import type { Start } from '../start.ts';
import { text } from '../text.ts';
import { keepChoice } from './choices.ts';

const themes: readonly Start['theme'][] = ['system', 'light', 'dark'];

/** Colours, and what is loaded from elsewhere. */
export function Appearance(): JSX.Element {
  const { start } = useStore();
  const [theme, setTheme] = useState(start.theme);
  const choose = (next: Start['theme']): void => {
    setTheme(next);
    start.theme = next;
    keepChoice('theme', next);
    document.documentElement.dataset['theme'] = next;
  };
  return (
    <section>
      <h2>{text.settings.looks}</h2>
      <fieldset class="segments">
        <legend>{text.settings.theme}</legend>
        {themes.map((one) => (
          <label>
            <input type="radio" name="theme" value={one} checked={theme === one} onChange={() => choose(one)} />
            <span>{text.settings.themes[one]}</span>
          </label>
        ))}
      </fieldset>
      <fieldset class="plain-set">
        <legend>{text.settings.loading}</legend>
        <p class="soft">{text.settings.loadingHint}</p>
        <Switch name="images" isOn={start.images} />
        <Switch name="players" isOn={start.players} />
      </fieldset>
    </section>
  );
}

/** The policy of a document cannot change while it is shown, so it is loaded again. */
function Switch({ name, isOn }: { name: 'images' | 'players'; isOn: boolean }): JSX.Element {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) => {
          keepChoice(name, event.currentTarget.checked ? 'on' : 'off');
          location.reload();
        }}
      />
      <span>{text.settings[name]}</span>
    </label>
  );
}
