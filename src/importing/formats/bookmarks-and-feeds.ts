import type { HtmlToken } from '../reading/html-tags.ts';
import { type EntryState, type RawEntry, favouriteTag, isTrue, read, unread } from '../raw-entry.ts';

/*
 * Bookmarks as a list of links in HTML: the Netscape format of browsers (Chrome, Firefox, Safari, Edge), Pinboard,
 * Raindrop and Linkwarden, and the lists of Pocket and Instapaper.
 */

/** Folders in which browsers keep everything. They say nothing about a bookmark. */
const rootFolders = new Set(
  `bookmarks bar|bookmarks toolbar|bookmarks menu|other bookmarks|mobile bookmarks|favorites bar|favourites bar|other favorites|
  other favourites|favorites|bookmarksbar|bookmarksmenu|bookmarks|unsorted|export|
  lesezeichenleiste|lesezeichen-symbolleiste|lesezeichen-menü|weitere lesezeichen|andere lesezeichen|mobile lesezeichen|favoritenleiste|
  barre de favoris|barre personnelle|barre des favoris|autres favoris|autres marque-pages|menu des marque-pages|favoris sur mobile|
  barra de marcadores|barra de favoritos|otros marcadores|otros favoritos|menú de marcadores|marcadores del móvil|
  barra dei preferiti|barra dei segnalibri|altri preferiti|altri segnalibri|menu segnalibri|outros favoritos|outros marcadores|
  bladwijzerbalk|bladwijzerwerkbalk|andere bladwijzers|bladwijzermenu|pasek zakładek|inne zakładki|menu zakładek|
  панель закладок|другие закладки|меню закладок|yer işaretleri çubuğu|diğer yer işaretleri|
  ブックマーク バー|ブックマークバー|その他のブックマーク|书签栏|书签工具栏|其他书签|書籤列|其他書籤|북마크바|기타 북마크|
  reading list|leseliste|liste de lecture|lista de lectura|elenco lettura|lista de leitura|leeslijst|läslista|læseliste|lukulista|
  lista czytelnicza|okuma listesi|список для чтения|リーディングリスト|阅读列表|閱讀列表|읽기 목록|
  favoriten|favoris|favoritos|preferiti|favorieten|favoriter|favoritter|suosikit|ulubione|favoriler|избранное|お気に入り|个人收藏|
  喜好項目|즐겨찾기|lesezeichenmenü|menu des signets|signets|menú marcadores|menú favoritos|menu preferiti|menu favoritos|
  menu de marcadores|favorietenmenu|bokmärkesmenyn|bokmærkemenu|bokmerkemeny|kirjanmerkkivalikko|menu zakładki|menu ulubionych|
  yer imleri menüsü|меню избранного|ブックマークメニュー|ブックマーク|书签菜单|書籤選單|책갈피 메뉴`
    .split('|')
    .map((name) => name.trim()),
);

/** Headings of Pocket and Instapaper for read articles. */
const stateHeadings = new Map<string, EntryState | string>([
  ['unread', unread],
  ['read archive', read],
  ['archive', read],
  ['liked', favouriteTag],
  ['starred', favouriteTag],
]);

const maxFolders = 100;
const maxText = 100_000;

interface OpenLink extends RawEntry {
  title: string;
  description: string;
}

/** @param isNetscape whether lists of links are folders (`<DL>`), and their headings `<H3>` */
export async function* readBookmarks(tokens: AsyncIterable<HtmlToken>, isNetscape: boolean): AsyncGenerator<RawEntry> {
  /** Null for invalid tags. */
  const folders: (string | null)[] = [];
  let heading: { name: string; isRoot: boolean } | null = null;
  let section: string | null = null;
  let collecting: 'link' | 'heading' | 'section' | 'description' | null = null;
  let link: OpenLink | null = null;
  const finished = (): RawEntry[] => {
    if (link === null) return [];
    const { description, ...entry } = link;
    link = null;
    return [{ ...entry, notes: notesOf(description) }];
  };
  for await (const token of tokens) {
    if (token.kind === 'text') {
      if (collecting === 'link' && link !== null) link.title = appended(link.title, token.text);
      else if (collecting === 'description' && link !== null) link.description = appended(link.description, token.text);
      else if (collecting === 'heading' && heading !== null) heading.name = appended(heading.name, token.text);
      else if (collecting === 'section') section = appended(section ?? '', token.text);
      continue;
    }
    if (token.kind === 'close') {
      if (token.name === 'dl') {
        yield* finished();
        folders.pop();
        heading = null;
      }
      if (token.name === 'a' || token.name === 'h1' || token.name === 'h3') collecting = null;
      continue;
    }
    const { name, attributes } = token;
    if (name === 'a') {
      yield* finished();
      if (attributes.has('href')) {
        const said = isNetscape ? null : saidBy(section);
        const state = typeof said === 'object' && said !== null ? { state: said } : {};
        const names = isNetscape ? folders : [typeof said === 'string' ? said : null];
        link = { ...linkOf(attributes, names), ...state, description: '' };
        collecting = 'link';
      }
    } else if (name === 'dd') collecting = link === null ? null : 'description';
    else if (name === 'br' && collecting === 'description' && link !== null) link.description += '\n';
    else if (name === 'dt' || name === 'li' || name === 'hr') {
      yield* finished();
      collecting = null;
    } else if (name === 'h3' && isNetscape) {
      yield* finished();
      heading = { name: '', isRoot: isRootFolder(attributes) };
      collecting = 'heading';
    } else if (name === 'h1' && !isNetscape) {
      yield* finished();
      section = '';
      collecting = 'section';
    } else if (name === 'dl') {
      yield* finished();
      const isRoot = folders.length <= 1 && rootFolders.has((heading?.name ?? '').trim().toLowerCase());
      const isTag = heading !== null && !heading.isRoot && !isRoot;
      if (folders.length < maxFolders) folders.push(isTag ? (heading?.name ?? null) : null);
      heading = null;
      collecting = null;
    }
  }
  yield* finished();
}

function appended(text: string, more: string): string {
  return text.length > maxText ? text : text + more;
}

function isRootFolder(attributes: ReadonlyMap<string, string>): boolean {
  if (attributes.get('id') === 'com.apple.ReadingList') return true;
  return isTrue(attributes.get('personal_toolbar_folder')) || isTrue(attributes.get('unfiled_bookmarks_folder'));
}

function saidBy(section: string | null): EntryState | string | null {
  const name = (section ?? '').trim();
  return name === '' ? null : (stateHeadings.get(name.toLowerCase()) ?? name);
}

/** linkding keeps the description of a page and the notes on it apart. */
function notesOf(description: string): string[] {
  const [about = '', notes = ''] = description.split('[linkding-notes]', 2);
  return [about, notes.replace('[/linkding-notes]', '')];
}

const taken = new Set(['href', 'add_date', 'time_added', 'tags', 'toread', 'favorite', 'data-important']);
/** linkding's mark for archived bookmarks. */
const archivedTag = 'linkding:bookmarks.archived';

function linkOf(
  attributes: ReadonlyMap<string, string>,
  folders: readonly (string | null)[],
): RawEntry & { title: string } {
  const tags = (attributes.get('tags') ?? '').split(',');
  const isUnread = isTrue(attributes.get('toread'));
  const isFavourite = isTrue(attributes.get('favorite')) || isTrue(attributes.get('data-important'));
  const state = isUnread ? unread : tags.includes(archivedTag) ? read : undefined;
  return {
    url: attributes.get('href'),
    title: '',
    tags: [
      ...folders.filter((folder) => folder !== null),
      ...tags.filter((tag) => tag !== archivedTag),
      ...(isFavourite ? [favouriteTag] : []),
    ],
    state,
    date: attributes.get('add_date') ?? attributes.get('time_added'),
    fields: [...attributes].flatMap(([name, value]) =>
      taken.has(name) || value === '' || value === '0' ? [] : [name],
    ),
  };
}

const maxDepth = 100;
const ofOutlines = new Set(['xmlurl', 'url', 'type', 'title', 'text', 'category', 'created']);

/** The feeds of an OPML list, and links (`type="link"`). Groups and categories become tags. */
export async function* readOpml(tokens: AsyncIterable<HtmlToken>): AsyncGenerator<RawEntry> {
  const groups: (string | null)[] = [];
  for await (const token of tokens) {
    if (token.kind === 'close' && token.name === 'outline') groups.pop();
    if (token.kind !== 'open' || token.name !== 'outline') continue;
    const { attributes } = token;
    const feed = attributes
      .get('xmlurl')
      ?.trim()
      .replace(/^feed:\/\//i, 'http://')
      .replace(/^feed:/i, '');
    const isLink = attributes.get('type')?.toLowerCase() === 'link';
    const address = feed ?? (isLink ? attributes.get('url') : undefined);
    const name = attributes.get('title') ?? attributes.get('text');
    const inGroups = groups.filter((group) => group !== null);
    if (address !== undefined)
      yield {
        url: address,
        isFeed: feed !== undefined,
        title: name,
        tags: [...(feed === undefined ? [] : ['feed']), ...tagsOf(attributes), ...inGroups],
        date: attributes.get('created'),
        fields: [...attributes.keys()].filter((one) => !ofOutlines.has(one) && attributes.get(one) !== ''),
      };
    if (!token.isClosed && groups.length < maxDepth) groups.push(address === undefined ? (name ?? null) : null);
  }
}

function tagsOf(attributes: ReadonlyMap<string, string>): string[] {
  // OPML writes categories as paths; a path of one name begins with a slash, too.
  return (attributes.get('category') ?? '').split(',').map((name) => name.trim().replace(/^\/+/, ''));
}
