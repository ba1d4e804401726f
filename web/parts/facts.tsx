import type { JSX } from 'preact';

/** What stands below a title, in a few words each. Nothing without any. */
export function Facts({ of }: { of: readonly (string | JSX.Element | false | null)[] }): JSX.Element | null {
  const facts = of.filter((fact) => fact !== '' && fact !== false && fact !== null);
  if (facts.length === 0) return null;
  return (
    <p class="facts">
      {facts.map((fact) => (
        <span>{fact}</span>
      ))}
    </p>
  );
}
