import type { ButtonHTMLAttributes, ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../text.ts';
import { useWrite, type Write } from './use-write.ts';

interface DoParts extends Partial<
  Pick<ButtonHTMLAttributes, 'class' | 'aria-expanded' | 'aria-haspopup' | 'disabled'>
> {
  label: string;
  /** What it is done with, for whoever hears this button among others like it. */
  of?: string | undefined;
  /** What is asked first, because it cannot be taken back. Looking elsewhere is a no. */
  sure?: string;
  run: Write | ((button: HTMLButtonElement) => unknown);
  /** What is seen in place of the label. */
  children?: ComponentChildren;
}

/** A button that does something: a write, or what a function does. */
export function Do({ label, of, sure, run, class: look, children, ...rest }: DoParts): JSX.Element {
  const write = useWrite();
  const [isAsking, setAsking] = useState(false);
  const name = of === undefined ? label : text.named(label, of);
  return (
    <button
      type="button"
      {...rest}
      class={isAsking ? `${look ?? ''} asking` : look}
      aria-label={isAsking ? text.sureNamed(sure ?? '', name) : name}
      onBlur={() => setAsking(false)}
      onClick={({ currentTarget, detail }) => {
        // The second click of a double click is no answer.
        if (isAsking && detail > 1) return;
        const isSure = sure === undefined || isAsking;
        setAsking(!isSure);
        if (isSure) void (typeof run === 'function' ? run(currentTarget) : write(run));
      }}
    >
      {isAsking ? sure : (children ?? label)}
    </button>
  );
}
