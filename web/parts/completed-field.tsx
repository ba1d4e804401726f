import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface Option {
  value: string;
  shown: string;
  /** What it is about, after it. */
  hint?: string;
  /** It is shown whatever is typed. */
  isSure?: boolean;
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
  /** Enter takes the first, if no other was chosen. */
  isFirstChosen?: boolean;
  maxShown?: number;
  onType: (typed: string) => void;
  onTake: (value: string) => void;
  /** Backspace in the empty field. */
  onBack?: () => void;
}

/** A field with a list of what may be meant (the pattern "combobox" of ARIA). Enter without a choice in the list is left to the form. */
export function CompletedField(parts: CompletedFieldParts): JSX.Element {
  const { label, typed, options, placeholder, problem = '', maxShown = 7, onType, onTake, onBack } = parts;
  const { isListed = false, isFirstChosen = false } = parts;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const none = isFirstChosen ? 0 : -1;
  const [active, setActive] = useState(none);
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active]);
  const words = typed.trim().toLowerCase();
  const rank = ({ shown, isSure = false }: Option): number =>
    isSure ? Number.MAX_SAFE_INTEGER : shown.toLowerCase().indexOf(words);
  const matching = options.filter((option) => rank(option) >= 0);
  const begins = (option: Option): boolean => words === '' || rank(option) === 0;
  const shown = [...matching.filter(begins), ...matching.filter((one) => !begins(one))];
  const listed = isOpen || isListed ? shown.slice(0, maxShown) : [];
  const take = (option: Option): void => {
    setActive(none);
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
          setActive(none);
          onType(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          // The keys choose among the words of an input method.
          if (event.isComposing) return;
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          const chosen = listed[active];
          if (step !== undefined) {
            // From the field to the first or the last, and past these back to the field, if it is a choice as well.
            const count = listed.length - none;
            setActive(((active - none + step + count) % count) + none);
          } else if (event.key === 'Enter' && chosen !== undefined) take(chosen);
          else if (event.key === 'Backspace' && typed === '') onBack?.();
          else return;
          event.preventDefault();
        }}
      />
      <ul ref={list} id={`${id}-list`} role="listbox" aria-label={label} hidden={listed.length === 0}>
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
            {option.hint !== undefined && <span class="soft">{option.hint}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
