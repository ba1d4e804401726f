import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useStore } from '../store.ts';
import { text } from '../text.ts';
import { choose } from './choices.ts';

type Name = keyof typeof text.settings.choices;

/** One of a few values for how the page looks in this browser. */
export function Segments({ name }: { name: Name }): JSX.Element {
  const { start } = useStore();
  const [chosen, setChosen] = useState<string>(start.choices[name]);
  const { title, values } = text.settings.choices[name];
  return (
    <fieldset class="segments">
      <legend>{title}</legend>
      {Object.entries(values).map(([value, shown]) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            value={value}
            checked={chosen === value}
            onChange={() => {
              setChosen(value);
              choose(start, name, value as never);
            }}
          />
          <span>{shown}</span>
        </label>
      ))}
    </fieldset>
  );
}
