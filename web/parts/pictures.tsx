import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Store } from '../data/answers.ts';
import { factsOf, siteOf } from '../items/item-facts.ts';
import type { ContentSummary } from '../data/records.ts';
import { useStore } from '../data/store.ts';
import { Facts } from './elements.tsx';

/** The item whose address stands for the icon of a site, so that a browser asks for each icon once. */
const keepers = new WeakMap<Store, Map<string, string>>();

interface ItemFactsParts {
  item: Parameters<typeof factsOf>[0] & Pick<ContentSummary, 'id'>;
  isRead?: boolean;
}

/** What stands below a title, with the icon of the site before its name. */
export function ItemFacts({ item, isRead = false }: ItemFactsParts): JSX.Element | null {
  const store = useStore();
  const facts = factsOf(item, isRead);
  const site = siteOf(item);
  if (store.start.choices.icons === 'off' || item.url === null || site === '') return <Facts of={facts} />;
  const known = keepers.get(store) ?? new Map<string, string>();
  keepers.set(store, known);
  const host = URL.parse(item.url)?.host ?? '';
  const keeper = known.get(host) ?? item.id;
  known.set(host, keeper);
  const icon = <KeptPicture of={keeper} kind="icon" look="site-icon" />;
  return (
    <Facts
      of={facts.map((fact) =>
        fact === site ? (
          <>
            {icon}
            {fact}
          </>
        ) : (
          fact
        ),
      )}
    />
  );
}

/** The letter that stands for a picture under way is as high (`src/http/page/files.ts`). */
const underWayHeight = 33;
const askAgainMs = 4_000;
const maxAgain = 4;
/** How often each was asked for again, by its address: all places that show it ask as one. */
const again = new Map<string, number>();

/** A picture that the server keeps, which it may have to fetch first. */
function KeptPicture({ of, kind, look }: { of: string; kind: 'icon' | 'picture'; look: string }): JSX.Element {
  const image = useRef<HTMLImageElement>(null);
  const [, draw] = useState(0);
  const address = `/app/picture/${of}?kind=${kind}`;
  const tries = again.get(address) ?? 0;
  useEffect(() => {
    // Where the network is slow, the letter itself is not there yet the first time.
    const ask = (): void => {
      if (image.current?.naturalHeight === underWayHeight) again.set(address, tries + 1);
      else if (image.current?.complete === true) clearInterval(timer);
      if ((again.get(address) ?? 0) !== tries) draw((count) => count + 1);
    };
    const timer = tries < maxAgain ? setInterval(ask, askAgainMs) : undefined;
    return () => clearInterval(timer);
  }, [address, tries]);
  return <img class={look} ref={image} src={tries === 0 ? address : `${address}&try=${tries}`} alt="" loading="lazy" />;
}

/** The picture of a card; its place until the item is there and read. */
export function CardPicture({ item }: { item: ContentSummary | undefined }): JSX.Element {
  if (item?.status !== 'completed' || item.url === null) return <p class="card-picture" />;
  return <KeptPicture of={item.id} kind="picture" look="card-picture" />;
}
