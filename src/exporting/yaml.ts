/*
 * Front matter in YAML. Texts come from outside, so each is written between quotation marks: no title can end the front
 * matter, add a field or become something other than a text.
 */

export type YamlValue = string | number | null | undefined | readonly string[];

/**
 * The lines between the dashes, without those whose value is null, undefined or an empty list.
 * @param kept lines that are added as they are
 */
export function frontMatter(fields: Readonly<Record<string, YamlValue>>, kept = ''): string {
  const lines = Object.entries(fields).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    if (typeof value === 'number') return [`${name}: ${value}`];
    if (typeof value === 'string') return [`${name}: ${quotedYaml(value)}`];
    return value.length === 0 ? [] : [`${name}:`, ...value.map((one) => `  - ${quotedYaml(one)}`)];
  });
  return `---\n${lines.join('\n')}\n${kept}---\n`;
}

/** What JSON leaves as it is and YAML does not allow. */
// oxlint-disable-next-line no-control-regex
const unprintable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** A string of JSON is one of YAML but for a few characters. */
export function quotedYaml(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
