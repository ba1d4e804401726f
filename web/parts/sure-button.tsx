import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../text.ts';

interface SureButtonParts {
  label: string;
  /** The label with what it is about, for whoever hears it. */
  name: string;
  /** What is asked; else whether one is sure. */
  sure?: string;
  onSure: () => void;
}

/** A button for what cannot be taken back: it asks once, and looking elsewhere is a no. */
export function SureButton({ label, name, sure = text.settings.sure, onSure }: SureButtonParts): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  return (
    <button
      type="button"
      class={`button quiet ${isAsking ? 'asking' : ''}`}
      aria-label={isAsking ? text.settings.sureNamed(sure, name) : name}
      onBlur={() => setAsking(false)}
      onClick={() => {
        setAsking(!isAsking);
        if (isAsking) onSure();
      }}
    >
      {isAsking ? sure : label}
    </button>
  );
}
