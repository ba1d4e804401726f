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
  const icon = <img class="site-icon" src={`/app/picture/${keeper}?kind=icon`} alt="" loading="lazy" />;
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

/** The picture of a card; its place until the item is there and read. */
export function CardPicture({ item }: { item: ContentSummary | undefined }): JSX.Element {
  const image = useRef<HTMLImageElement>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const again = (): void =>
      setTries((count) => (image.current?.naturalHeight === underWayHeight ? count + 1 : count));
    const timer = tries < maxAgain ? setTimeout(again, askAgainMs) : undefined;
    return () => clearTimeout(timer);
  }, [tries]);
  if (item?.status !== 'completed' || item.url === null) return <p class="card-picture" />;
  const address = `/app/picture/${item.id}?kind=picture${tries === 0 ? '' : `&try=${tries}`}`;
  return <img class="card-picture" ref={image} src={address} alt="" loading="lazy" />;
}
