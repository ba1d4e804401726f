import { madeWhenUsed } from '../lazily.ts';
import { beginningOf } from './shortened.ts';

/*
 * Titles, tags and other names as shown to a model in lists. Their authors are strangers, so they are short, on one line, and
 * contain no markup by which programs that run a model separate turns, tool calls and pictures from text. Only the shown form
 * changes; a changed name ends with `cutMark`.
 */

/** The maximum length of a name in a list, in UTF-16 units. No goal's title and no tag is longer. */
export const maxModelName = 200;
/** More of a name is never looked at. */
const maxRead = 1_000;
const cutMark = '[…]';

/** Whether any of the forms may be there. */
const suspicious = /[<＜﹤&[\]{`~\t\n\r\v\f\u0085\u2028\u2029]/;
const lineBreaks = /[\t\n\r\v\f\u0085\u2028\u2029]+/g;
/** `<system>`, `</tool_call>`, `<|im_start|>`, `<<SYS>>`, `<!--`: what a smaller-than sign begins when no space follows it. */
const tag = madeWhenUsed(() => /[<＜﹤][\p{L}/!?|｜<＜﹤]/u);
const angles = /[<＜﹤]+[|｜]?|[|｜]?[>＞﹥]+/g;
const escapedAngles = /&(?:[lg]t|#0{0,6}6[02]|#x0{0,6}3[ce]);?/gi;
/** Brackets of chat templates: `[INST]`, `[/INST]`, `[TOOL_CALLS]`. */
const templateMarks = /\[\/?((?:INST|SYS|SYSTEM|USER|ASSISTANT|HUMAN)|[A-Z_]{0,30}(?:TOOL|PROMPT)[A-Z_]{0,30})\]/g;
/** An object of JSON, as calls of tools are written. */
const call = /\{\s{0,9}\\?["'“]/;
const fences = /`{3,}|~{3,}/g;

/** Leaves out the signs that make words a form. Each leaves a space, so that what was beside it makes no new form. */
function withoutForms(text: string): string {
  let kept = text.replaceAll(lineBreaks, ' ');
  if (tag().test(kept)) kept = kept.replaceAll(angles, ' ');
  kept = kept.replaceAll(escapedAngles, ' ').replaceAll(fences, ' ').replaceAll(templateMarks, ' $1 ');
  // A link keeps its words and loses its address; a picture is no picture without its exclamation mark.
  kept = kept
    .replaceAll(/\]\([^()]*\)/g, '] ')
    .replaceAll(/!(?=\[)/g, ' ')
    .replaceAll(/\](?=[([])/g, '] ');
  if (call.test(kept)) kept = kept.replaceAll(/[{}]/g, ' ');
  return kept === text ? text : kept.replaceAll(/ {2,}/g, ' ').trim();
}

/** A name as a model is shown it: never longer than it is. */
export function modelName(name: string, maxLength = maxModelName): string {
  if (name.length <= maxLength && !suspicious.test(name)) return name;
  const kept = withoutForms(beginningOf(name, maxRead));
  if (kept === name && name.length <= maxLength) return name;
  const room = Math.min(maxLength, name.length) - cutMark.length - 1;
  return `${beginningOf(kept, Math.max(0, room)).trimEnd()} ${cutMark}`.trim();
}

/** Whether a text is, by its end, a name that was changed by `modelName`. */
export function isCutName(text: string): boolean {
  return /\[(?:…|\.\.\.)\]\s{0,9}$/.test(text.slice(-20));
}
