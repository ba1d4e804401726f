import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useListeners } from '../parts/elements.tsx';
import { isTyping } from '../keys/focus-row.ts';
import { Do, useTell } from '../parts/writing.tsx';

/** The name of the highlight in the style sheet. */
const highlight = 'aloud';
/** Sentences are kept between these distances from the top and the bottom of the screen. */
const [above, below] = [80, 140];

/** The sentence that is read, among those of its block. */
interface Spot {
  block: Element;
  sentences: Range[];
  index: number;
}

/** Reads the text aloud with a voice of the machine, sentence by sentence, and shows which. Nothing where the browser cannot. */
export function Aloud({ language }: { language: string | null }): JSX.Element | null {
  const tell = useTell();
  const [can, setCan] = useState(false);
  const [state, setState] = useState<'off' | 'reads' | 'rests'>('off');
  const at = useRef<Spot | null>(null);
  const spoken = useRef<SpeechSynthesisUtterance | null>(null);

  const end = (): void => {
    spoken.current = null;
    at.current = null;
    speechSynthesis.cancel();
    CSS.highlights?.delete(highlight);
    setState('off');
  };
  useLayoutEffect(() => {
    if (!('speechSynthesis' in globalThis)) return undefined;
    setCan(true);
    // Browsers load the list of voices when it is asked for first.
    speechSynthesis.getVoices();
    return () => spoken.current !== null && end();
  }, []);
  useListeners({ keydown: ({ key, target }) => state !== 'off' && key === 'Escape' && !isTyping(target) && end() });

  /** Speaks the sentence that is `step` from the last one. Before the first there is none. */
  const speak = (step: number): void => {
    const from = at.current;
    if (from === null) return;
    from.index += step;
    if (from.sentences[from.index] === undefined) {
      const beside = spotBeside(from.block, step);
      if (beside === undefined && step > 0) return end();
      at.current = beside ?? { ...from, index: 0 };
    }
    const { sentences, index } = at.current ?? from;
    const range = sentences[index];
    const voice = voiceFor(language ?? 'en');
    if (range === undefined || voice === undefined) return end();
    const words = new SpeechSynthesisUtterance(range.toString());
    words.lang = language ?? 'en';
    words.voice = voice;
    words.addEventListener('end', () => spoken.current === words && speak(1));
    words.addEventListener('error', () => spoken.current === words && end());
    spoken.current = words;
    speechSynthesis.cancel();
    speechSynthesis.speak(words);
    follow(range);
    setState('reads');
  };
  const press = (): void => {
    if (state === 'reads') {
      // The sentence starts over: not every browser goes on in the middle.
      spoken.current = null;
      speechSynthesis.cancel();
      setState('rests');
    } else if (state === 'rests') speak(0);
    else if (voiceFor(language ?? 'en') === undefined)
      tell({
        message: 'This browser has no local voice for this language. Voices that send the text elsewhere are not used.',
      });
    else {
      at.current = firstSpot() ?? null;
      speak(0);
    }
  };
  if (!can) return null;
  return (
    <>
      <Do
        class={state === 'off' ? 'read-aloud' : ''}
        label={state === 'off' ? 'Read aloud' : 'Stop'}
        run={state === 'off' ? press : end}
      />
      {state !== 'off' && (
        <div class="bar-below" role="group" aria-label="Reading aloud">
          <Do label="Back" run={() => speak(-1)} />
          <Do class="read-aloud" label={state === 'reads' ? 'Pause' : 'Go on'} run={press} />
          <Do label="Next" run={() => speak(1)} />
          <Do label="Stop" run={end} />
        </div>
      )}
    </>
  );
}

/** A voice of the machine itself: others send the text to whoever makes them. */
function voiceFor(language: string): SpeechSynthesisVoice | undefined {
  const wanted = language.slice(0, 2).toLowerCase();
  return speechSynthesis
    .getVoices()
    .find(({ localService, lang }) => localService && lang.toLowerCase().startsWith(wanted));
}

const blocks = (): Element[] => [...document.querySelectorAll('.text .block')];

/** In the paragraph that has the focus, or the first that is on the screen. */
function firstSpot(): Spot | undefined {
  const all = blocks();
  const focused = all.findIndex((one) => one === document.activeElement);
  const shown = all.findIndex((one) => one.getBoundingClientRect().bottom > above);
  return spotFrom(all, focused < 0 ? shown : focused, 1);
}

function spotBeside(block: Element, step: number): Spot | undefined {
  const all = blocks();
  return spotFrom(all, all.indexOf(block) + step, step);
}

/** The first sentence of the block at this index, or of the next that has one; backwards, the last. */
function spotFrom(all: readonly Element[], index: number, step: number): Spot | undefined {
  for (let next = index, block = all[next]; block !== undefined; next += step, block = all[next]) {
    const sentences = sentencesOf(block);
    if (sentences.length > 0) return { block, sentences, index: step < 0 ? sentences.length - 1 : 0 };
  }
  return undefined;
}

function follow(range: Range): void {
  // Browsers without custom highlights still speak.
  if (CSS.highlights !== undefined) CSS.highlights.set(highlight, new Highlight(range));
  const { top, bottom } = range.getBoundingClientRect();
  if (top >= above && bottom <= innerHeight - below) return;
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  scrollBy({ top: top - innerHeight / 3, behavior: isCalm ? 'auto' : 'smooth' });
}

/** What is not read with a paragraph: what stands beside it, code and tables. */
const passedOver = '.margin, .time, pre, table';

/** The sentences of a block, as they stand on the page. */
function sentencesOf(block: Element): Range[] {
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest(passedOver) === null ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT,
  );
  const nodes: { node: Node; start: number; end: number }[] = [];
  let whole = '';
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const start = whole.length;
    whole += node.textContent ?? '';
    nodes.push({ node, start, end: whole.length });
  }
  const ranges: Range[] = [];
  let at = 0;
  const nodeAt = (isThere: (end: number) => boolean): (typeof nodes)[number] | undefined => {
    while (nodes[at] !== undefined && !isThere(nodes[at]?.end ?? 0)) at += 1;
    return nodes[at];
  };
  for (const { segment, index } of new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(whole)) {
    if (!/[\p{L}\p{N}]/u.test(segment)) continue;
    const range = document.createRange();
    const end = index + segment.trimEnd().length;
    const first = nodeAt((until) => until > index);
    const last = nodeAt((until) => until >= end);
    if (first === undefined || last === undefined) break;
    range.setStart(first.node, index - first.start);
    range.setEnd(last.node, end - last.start);
    ranges.push(range);
  }
  return ranges;
}
