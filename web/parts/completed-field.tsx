import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';

interface Option {
  value: string;
  shown: string;
}

interface CompletedFieldParts {
  label: string;
  typed: string;
  /** Those that match what is typed are shown. */
  options: readonly Option[];
  placeholder?: string;
  /** Why the form cannot be sent as it is. */
  problem?: string;
  /** The list is part of the form: what stands below it does not move under a press. */
  isListed?: boolean;
  onType: (typed: string) => void;
  onTake: (value: string) => void;
  /** Backspace in the empty field. */
  onBack?: () => void;
}

const maxShown = 7;

/** A field with a list of what may be meant (the pattern "combobox" of ARIA). Enter without a choice in the list is left to the form. */
export function CompletedField({
  label,
  typed,
  options,
  placeholder,
  problem = '',
  isListed = false,
  onType,
  onTake,
  onBack,
}: CompletedFieldParts): JSX.Element {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const words = typed.trim().toLowerCase();
  const rank = ({ shown }: Option): number => shown.toLowerCase().indexOf(words);
  const matching = options.filter((option) => rank(option) >= 0);
  const shown = [...matching.filter((one) => rank(one) === 0), ...matching.filter((one) => rank(one) > 0)];
  const listed = isOpen || isListed ? shown.slice(0, maxShown) : [];
  const take = (option: Option): void => {
    setActive(-1);
    onTake(option.value);
  };
  return (
    <div class="field completed">
      <label for={id}>{label}</label>
      <input
        ref={(field) => field?.setCustomValidity(problem)}
        id={id}
        type="text"
        role="combobox"
        aria-expanded={listed.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active < 0 || active >= listed.length ? undefined : `${id}-${active}`}
        autocomplete="off"
        maxlength={300}
        placeholder={placeholder}
        value={typed}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onInput={(event) => {
          setOpen(true);
          setActive(-1);
          onType(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          const chosen = listed[active];
          if (step !== undefined) {
            // From the field to the first or the last, and past these back to the field.
            setActive(((active + 1 + step + listed.length + 1) % (listed.length + 1)) - 1);
          } else if (event.key === 'Enter' && chosen !== undefined) take(chosen);
          else if (event.key === 'Backspace' && typed === '') onBack?.();
          else return;
          event.preventDefault();
        }}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={label} hidden={listed.length === 0}>
        {listed.map((option, index) => (
          <li
            key={option.value}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            // The field keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => take(option)}
          >
            {option.shown}
          </li>
        ))}
      </ul>
    </div>
  );
}
