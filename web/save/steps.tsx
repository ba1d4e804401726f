import type { JSX } from 'preact';
import type { ItemNews } from '../records.ts';
import { text } from '../text.ts';

const stages = ['fetch', 'extract', 'split', 'embed', 'analyse'] as const;

/** How far an item is, as a bar of its five steps and in words. */
export function Steps({ news }: { news: ItemNews | undefined }): JSX.Element {
  const done =
    news?.status === 'completed'
      ? stages.length
      : news?.progress === undefined
        ? 0
        : stages.indexOf(news.progress.stage);
  const words = wordsOf(news);
  return (
    <div class="steps">
      <span
        class="bar"
        role="progressbar"
        aria-label={text.save.steps}
        aria-valuemin={0}
        aria-valuemax={stages.length}
        aria-valuenow={done}
        aria-valuetext={words}
      >
        {stages.map((stage, index) => (
          <i key={stage} class={index < done ? 'done' : index === done ? 'now' : ''} />
        ))}
      </span>
      <span class="soft">{words}</span>
    </div>
  );
}

function wordsOf(news: ItemNews | undefined): string {
  if (news?.status === 'completed') return text.save.ready;
  if (news?.failure !== undefined) return text.save.again(text.problems.words(news.failure.message));
  if (news?.progress === undefined) return text.save.queued;
  return text.library.progress(news.status, news.progress.stage, news.url);
}
