import type { JSX } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { ReadItem } from '../records.ts';
import { useStore } from '../store.ts';
import { text } from '../text.ts';

/** The video itself, where the person allowed players; times in the transcript then play it from there. */
export function Player({ item }: { item: ReadItem }): JSX.Element | null {
  const players = useStore().start.choices.players === 'on';
  const [second, setSecond] = useState<string | null>(null);
  const id = players && item.contentType === 'youtube' ? videoOf(item.canonicalUrl ?? item.url) : null;
  useLayoutEffect(() => {
    if (id === null) return undefined;
    const play = (event: MouseEvent): void => {
      const time = (event.target as Element).closest<HTMLElement>('a.time[data-second]');
      if (time === null || event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      setSecond(time.dataset['second'] ?? null);
    };
    document.addEventListener('click', play);
    return () => document.removeEventListener('click', play);
  }, [id]);
  if (id === null) return null;
  return (
    <iframe
      class="player"
      title={text.reading.player}
      src={`https://www.youtube-nocookie.com/embed/${id}${second === null ? '' : `?start=${second}&autoplay=1`}`}
      sandbox="allow-scripts allow-same-origin allow-presentation"
      allow="autoplay; fullscreen; encrypted-media; picture-in-picture"
      referrerpolicy="strict-origin"
    />
  );
}

function videoOf(url: string | null): string | null {
  const id = URL.parse(url ?? '')?.searchParams.get('v') ?? '';
  return /^[\w-]{6,20}$/.test(id) ? id : null;
}
