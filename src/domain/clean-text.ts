/** Removes what no reader sees and no store accepts: NUL and other control characters, lone surrogates, CR. */
export function cleanText(text: string): string {
  return (
    text
      .toWellFormed()
      .replaceAll(/\r\n?/g, '\n')
      // oxlint-disable-next-line no-control-regex -- control characters are exactly what is to go
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff]/g, '')
  );
}

/** White space, control characters and those that a font draws nothing for are not visible. */
const visibleCharacter = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

/** Whether a reader would see anything of `text`. */
export function hasVisibleText(text: string): boolean {
  return visibleCharacter.test(text);
}

/** Say where a line may break and which way it runs. Joiners and variation selectors are none of them: letters and emoji need those. */
const lineControls = String.raw`\s\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f`;
const controlsAtEnds = new RegExp(`^[${lineControls}]+|[${lineControls}]+$`, 'g');

/**
 * The same on one line: every run of white space becomes one space, and nothing invisible is left at the ends or by itself. What turns
 * the direction of letters by force goes: it reaches beyond the line that it stands in.
 */
export function cleanLine(text: string): string {
  if (!hasVisibleText(text)) return '';
  return cleanText(text)
    .replaceAll(/[\u202d\u202e]/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(controlsAtEnds, '');
}
